/** Lanczos3 in floating point, straight from its definition: the measure of resized decodes. */

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

interface Taps {
  input: Uint32Array;
  weight: Float64Array;
}

/**
 * Returns the input samples of each output sample, and their weights. Samples beyond the edges repeat the outermost.
 */
function axis(outputs: number, inputs: number): Taps[] {
  const step = inputs / outputs;
  const stretch = Math.max(step, 1);
  return Array.from({ length: outputs }, (_, output) => {
    const centre = (output + 0.5) * step - 0.5;
    const input: number[] = [];
    const weight: number[] = [];
    for (let i = Math.ceil(centre - LOBES * stretch); i <= centre + LOBES * stretch; i++) {
      input.push(Math.min(Math.max(i, 0), inputs - 1));
      weight.push(kernel((i - centre) / stretch));
    }
    const sum = weight.reduce((total, each) => total + each, 0);
    return { input: Uint32Array.from(input), weight: Float64Array.from(weight, (each) => each / sum) };
  });
}

/** @param pixels packed rows of `from.channels` samples a pixel */
export function resizeExactly(pixels: Uint8Array, from: Size & { channels: number }, to: Size): Uint8Array {
  const { channels } = from;
  const rowSamples = from.width * channels;
  const rows = axis(to.height, from.height);
  const columns = axis(to.width, from.width);
  const out = new Uint8ClampedArray(to.width * to.height * channels);
  const row = new Float64Array(rowSamples);
  let at = 0;
  for (const { input, weight } of rows) {
    row.fill(0);
    for (let tap = 0; tap < input.length; tap++) addRow(row, pixels, input[tap]! * rowSamples, weight[tap]!);
    for (const taps of columns) {
      for (let c = 0; c < channels; c++) out[at++] = sumOf(row, taps, channels, c);
    }
  }
  return new Uint8Array(out.buffer);
}

function addRow(sums: Float64Array, pixels: Uint8Array, from: number, weight: number): void {
  for (let x = 0; x < sums.length; x++) sums[x]! += weight * pixels[from + x]!;
}

function sumOf(row: Float64Array, { input, weight }: Taps, channels: number, channel: number): number {
  let sum = 0;
  for (let tap = 0; tap < input.length; tap++) sum += weight[tap]! * row[input[tap]! * channels + channel]!;
  return sum;
}
