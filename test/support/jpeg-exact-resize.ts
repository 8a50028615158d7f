/** Lanczos3 in floating point, straight from its definition: what resized decodes are measured against. */

interface Size {
  width: number;
  height: number;
}

const LOBES = 3;

function kernel(x: number): number {
  if (Math.abs(x) < 1e-8) return 1;
  if (Math.abs(x) >= LOBES) return 0;
  const p = Math.PI * x;
  return (LOBES * Math.sin(p) * Math.sin(p / LOBES)) / (p * p);
}

/** For each output sample: input samples and their weights; samples beyond the edges repeat the outermost. */
function axis(outputs: number, inputs: number): [input: number, weight: number][][] {
  const step = inputs / outputs;
  const stretch = Math.max(step, 1);
  return Array.from({ length: outputs }, (_, output) => {
    const centre = (output + 0.5) * step - 0.5;
    const taps: [number, number][] = [];
    for (let i = Math.ceil(centre - LOBES * stretch); i <= centre + LOBES * stretch; i++) {
      taps.push([Math.min(Math.max(i, 0), inputs - 1), kernel((i - centre) / stretch)]);
    }
    const sum = taps.reduce((total, [, weight]) => total + weight, 0);
    return taps.map(([input, weight]): [number, number] => [input, weight / sum]);
  });
}

/** @param pixels packed rows of `from.channels` samples a pixel */
export function resizeExactly(pixels: Uint8Array, from: Size & { channels: number }, to: Size): Uint8Array {
  const { channels } = from;
  const rowSamples = from.width * channels;
  const half = new Float64Array(rowSamples * to.height);
  axis(to.height, from.height).forEach((taps, y) => {
    for (const [row, weight] of taps) {
      for (let x = 0; x < rowSamples; x++)
        half[y * rowSamples + x]! += weight * pixels[row * rowSamples + x]!;
    }
  });
  const out = new Uint8ClampedArray(to.width * to.height * channels);
  const columns = axis(to.width, from.width);
  for (let y = 0; y < to.height; y++) {
    columns.forEach((taps, x) => {
      for (let c = 0; c < channels; c++) {
        let sum = 0;
        for (const [column, weight] of taps) sum += weight * half[y * rowSamples + column * channels + c]!;
        out[(y * to.width + x) * channels + c] = sum;
      }
    });
  }
  return new Uint8Array(out.buffer);
}
