import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef } from 'react';
import { useIsDark } from '../app/theme.ts';
import { formatMoney } from '../lib/format.ts';

Chart.defaults.font.family = "'Inter Variable', sans-serif";
Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, Tooltip);

type Point = { label: string; transcription: number; analysis: number };

/** Two stacked costs. The table beside it has the same figures for those who cannot see the chart. */
export function UsageChart({ points }: { points: Point[] }) {
  // The key makes it read its colours again when the theme changes.
  return <Drawn key={useIsDark() ? 'dark' : 'light'} text={JSON.stringify(points)} />;
}

/** `text`: the points as JSON, which is equal if they are. */
function Drawn({ text }: { text: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const chart = draw(canvas.current, JSON.parse(text) as Point[]);
    return () => chart.destroy();
  }, [text]);
  return (
    <div className="relative h-64">
      <canvas ref={canvas} role="img" aria-label="Cost over the period. The figures follow as a table." />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, points: Point[]): Chart {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const bar = { borderRadius: 3, maxBarThickness: 28, borderSkipped: false };
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return new Chart(canvas, {
    type: 'bar',
    data: {
      labels: points.map(({ label }) => label),
      datasets: [
        {
          label: 'Transcription',
          data: points.map((each) => each.transcription),
          backgroundColor: colour('accent'),
          ...bar,
        },
        { label: 'Analysis', data: points.map((each) => each.analysis), backgroundColor: colour('customer'), ...bar },
      ],
    },
    options: {
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false },
      ...(isStill && { animation: false as const }),
      plugins: {
        legend: { align: 'end', labels: { color: colour('ink-soft'), boxWidth: 10, boxHeight: 10 } },
        tooltip: {
          callbacks: { label: ({ dataset, parsed }) => `${dataset.label}: ${formatMoney(parsed.y ?? 0)}` },
        },
      },
      scales: {
        x: {
          stacked: true,
          grid: { display: false },
          border: { color: colour('line') },
          ticks: { color: colour('ink-faint'), maxRotation: 0, autoSkipPadding: 16 },
        },
        y: {
          stacked: true,
          border: { display: false },
          grid: { color: colour('line') },
          ticks: { color: colour('ink-faint'), maxTicksLimit: 5, callback: (value) => formatMoney(Number(value)) },
        },
      },
    },
  });
}
