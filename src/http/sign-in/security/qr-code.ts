import { encodeQR } from 'qr';

/** As inline SVG, without colours of its own. What it says must stand beside it as text. */
export function qrCode(text: string, label: string): string {
  const svg = encodeQR(text, 'svg', { ecc: 'medium' });
  return svg.replace('<svg ', `<svg role="img" aria-label="${label}" `);
}
