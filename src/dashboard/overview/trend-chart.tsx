import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
  type ChartConfiguration,
} from 'chart.js';
import { useEffect, useRef } from 'react';
import { formatDay, formatNumber } from '../lib/format.ts';
import type { Overview } from './search.ts';

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

type Days = Overview['days'];

/** In a separate file with its library. Reads its colours from the theme when it is first shown. */
export function TrendChart({ days }: { days: Days }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const chart = new Chart(canvas.current, configurationOf(days));
    return () => chart.destroy();
  }, [days]);
  return (
    <div className="relative h-full">
      <canvas ref={canvas} role="img" aria-label={summaryOf(days)} />
    </div>
  );
}

function summaryOf(days: Days): string {
  const total = days.reduce((sum, { calls }) => sum + calls, 0);
  const busiest = days.toSorted((a, b) => b.calls - a.calls)[0];
  const peak = busiest && busiest.calls > 0 ? `, most on ${formatDay(busiest.date)} (${busiest.calls})` : '';
  return `${formatNumber(total)} calls over ${days.length} days${peak}. The table has every day.`;
}

function configurationOf(days: Days): ChartConfiguration<'bar' | 'line', (number | null)[], string> {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const font = { family: style.fontFamily, size: 11 };
  const ticks = { color: colour('ink-faint'), font };
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return {
    type: 'bar',
    data: {
      labels: days.map(({ date }) => formatDay(date)),
      datasets: [
        {
          type: 'line',
          label: 'Average score',
          data: days.map(({ averageScore }) => (averageScore === null ? null : Math.round(averageScore))),
          yAxisID: 'score',
          borderColor: colour('good'),
          backgroundColor: colour('good'),
          hoverBackgroundColor: colour('good'),
          hoverBorderColor: colour('good'),
          borderWidth: 2,
          pointRadius: days.length > 31 ? 0 : 3,
          spanGaps: true,
          tension: 0.25,
        },
        {
          type: 'bar',
          label: 'Calls',
          data: days.map(({ calls }) => calls),
          yAxisID: 'calls',
          backgroundColor: colour('accent-soft'),
          hoverBackgroundColor: colour('accent-soft'),
          borderColor: colour('accent'),
          hoverBorderColor: colour('accent'),
          borderWidth: { top: 1.5 },
          borderRadius: 3,
          maxBarThickness: 44,
        },
      ],
    },
    options: {
      maintainAspectRatio: false,
      animation: isStill ? false : { duration: 250 },
      animations: { colors: false },
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          grid: { display: false },
          border: { color: colour('line') },
          ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 16 },
        },
        calls: {
          beginAtZero: true,
          border: { display: false },
          grid: { color: colour('line') },
          ticks: { ...ticks, precision: 0, maxTicksLimit: 5 },
        },
        score: {
          position: 'right',
          min: 0,
          max: 100,
          border: { display: false },
          grid: { display: false },
          ticks: { ...ticks, stepSize: 25 },
        },
      },
      plugins: {
        tooltip: {
          backgroundColor: colour('ink'),
          titleColor: colour('canvas'),
          bodyColor: colour('canvas'),
          titleFont: font,
          bodyFont: font,
          padding: 8,
          cornerRadius: 8,
          displayColors: false,
        },
      },
    },
  };
}
