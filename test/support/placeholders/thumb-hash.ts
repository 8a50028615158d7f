/** Reads a ThumbHash as the format describes it (https://evanw.github.io/thumbhash), independently of how it is written. */

export interface Rendered {
  width: number;
  height: number;
  /** Four bytes a pixel. */
  rgba: Uint8Array;
}

/** Returns a reader of the hash's bits, lowest first. */
function bitReader(hash: Uint8Array): (bits: number) => number {
  let at = 0;
  return (bits) => {
    let value = 0;
    for (let i = 0; i < bits; i++, at++) value |= (((hash[at >> 3] ?? 0) >> (at & 7)) & 1) << i;
    return value;
  };
}

interface Channel {
  nx: number;
  ny: number;
  mean: number;
  terms: number[];
}

/** Returns the picture that a page shows, `width` x `height` pixels of it. */
export function renderThumbHash(base64: string, width: number, height: number): Rendered {
  const read = bitReader(Buffer.from(base64, "base64"));
  const [lMean, pMean, qMean] = [read(6) / 63, read(6) / 31.5 - 1, read(6) / 31.5 - 1];
  const lScale = read(5) / 31;
  const hasAlpha = read(1) === 1;
  const shorter = read(3);
  const [pScale, qScale] = [read(6) / 63, read(6) / 63];
  const isLandscape = read(1) === 1;
  const longer = hasAlpha ? 5 : 7;
  const [aMean, aScale] = hasAlpha ? [read(4) / 15, read(4) / 15] : [1, 0];

  const channel = (nx: number, ny: number, mean: number, scale: number): Channel => {
    const terms = [];
    for (let cy = 0; cy < ny; cy++) {
      for (let cx = cy === 0 ? 1 : 0; cx * ny < nx * (ny - cy); cx++) terms.push((read(4) / 7.5 - 1) * scale);
    }
    return { nx, ny, mean, terms };
  };
  const l = channel(
    Math.max(3, isLandscape ? longer : shorter),
    Math.max(3, isLandscape ? shorter : longer),
    lMean,
    lScale,
  );
  const [p, q] = [channel(3, 3, pMean, 1.25 * pScale), channel(3, 3, qMean, 1.25 * qScale)];
  const a = hasAlpha ? channel(5, 5, aMean, aScale) : null;

  const valueAt = ({ nx, ny, mean, terms }: Channel, x: number, y: number): number => {
    let value = mean;
    let i = 0;
    for (let cy = 0; cy < ny; cy++) {
      for (let cx = cy === 0 ? 1 : 0; cx * ny < nx * (ny - cy); cx++, i++) {
        const wave =
          Math.cos((Math.PI / width) * (x + 0.5) * cx) * Math.cos((Math.PI / height) * (y + 0.5) * cy);
        value += 2 * (terms[i] ?? 0) * wave;
      }
    }
    return value;
  };
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const [bright, yellow, red] = [valueAt(l, x, y), valueAt(p, x, y), valueAt(q, x, y)];
    const blue = bright - (2 / 3) * yellow;
    const r = (3 * bright - blue + red) / 2;
    const pixel = [r, r - red, blue, a ? valueAt(a, x, y) : 1];
    rgba.set(
      pixel.map((value) => Math.round(255 * Math.min(1, Math.max(0, value)))),
      i * 4,
    );
  }
  return { width, height, rgba };
}
