/** FNV-1a over the UTF-16 units. */
export function hashText(text: string, from = 0, to = text.length): number {
  let value = 0x81_1c_9d_c5;
  for (let at = from; at < to; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93);
  return value;
}

/** One number of several, in order: the end of MurmurHash3 after each. */
export function mix(first: number, second: number, third: number): number {
  let value = Math.imul(first ^ 0x9e_37_79_b9, 0x85_eb_ca_6b);
  value = Math.imul((value ^ (value >>> 15)) + second, 0xc2_b2_ae_35);
  value = Math.imul((value ^ (value >>> 13)) + third, 0x27_d4_eb_2f);
  return (value ^ (value >>> 16)) >>> 0;
}
