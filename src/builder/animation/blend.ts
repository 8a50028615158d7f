/** "Over" for straight (not premultiplied) alpha: RFC 9649 section 2.7.1.1, PNG 3rd edition section 13.15. */

/** Blends `row` over `under`, in place. */
export function blendOver(under: Uint32Array, row: Uint32Array): void {
  for (let i = 0; i < under.length; i++) {
    const over = row[i] as number;
    const alpha = over >>> 24;
    if (alpha === 255) under[i] = over;
    else if (alpha !== 0) under[i] = mixed(under[i] as number, over, alpha);
  }
}

function mixed(under: number, over: number, alpha: number): number {
  // Weights in 1/65025: the share of the lower pixel that shows through the upper one.
  const upper = alpha * 255;
  const lower = (under >>> 24) * (255 - alpha);
  const sum = upper + lower;
  const channel = (shift: number): number =>
    Math.round((((over >>> shift) & 255) * upper + ((under >>> shift) & 255) * lower) / sum) << shift;
  return ((Math.round(sum / 255) << 24) | channel(16) | channel(8) | channel(0)) >>> 0;
}
