/** Pictures in planes of 8 to 12 bits, as encoders of video read them, with content that calls for every tool of AV1. */

export type Chroma = "400" | "420" | "422" | "444";

export interface PlanarPicture {
  width: number;
  height: number;
  bitDepth: 8 | 10 | 12;
  chroma: Chroma;
  /** Samples of each plane. */
  planes: Uint16Array[];
}

/** A value from 0 to 1 at a place from 0 to 1. */
type Field = (x: number, y: number) => number;

/** Returns waves in a few directions. */
function waves(next: () => number): Field {
  const parts = Array.from(
    { length: 4 },
    () => [next() * 60, next() * 60, next() * 7, next() * 0.3] as const,
  );
  return (x, y) =>
    parts.reduce((sum, [a, b, phase, gain]) => sum + gain * Math.sin(a * x + b * y + phase), 0.5);
}

/** Returns flat areas with straight edges. */
function polygons(next: () => number): Field {
  const lines = Array.from({ length: 7 }, () => [next() - 0.5, next() - 0.5, next() - 0.5, next()] as const);
  return (x, y) =>
    lines.reduce((value, [a, b, c, to]) => (a * (x - 0.5) + b * (y - 0.5) + c * 0.4 > 0 ? to : value), 0.4);
}

/** Returns a drawing of few values whose pattern repeats, as letters do. */
function repeats(next: () => number, columns: number, rows: number): Field {
  const size = 6 + Math.floor(next() * 30);
  const values = Array.from({ length: 2 + Math.floor(next() * 6) }, next);
  const tile = Array.from({ length: size * size }, () => values[Math.floor(next() ** 2 * values.length)]!);
  return (x, y) => {
    const [column, row] = [Math.floor(x * columns), Math.floor(y * rows)];
    return tile[(row % size) * size + (column % size)]!;
  };
}

/** Returns a slope. */
function slope(next: () => number): Field {
  const [a, b] = [next() - 0.5, next() - 0.5];
  return (x, y) => 0.5 + a * x + b * y;
}

/** Returns a random picture of a size. */
export function planarPicture(
  next: () => number,
  { width, height, bitDepth, chroma }: Pick<PlanarPicture, "width" | "height" | "bitDepth" | "chroma">,
): PlanarPicture {
  const isDrawing = next() < 0.4;
  const grain = next() < 0.5 ? 0 : 0.3 * next() ** 2;
  const most = 2 ** bitDepth - 1;
  const plane = (columns: number, rows: number): Uint16Array => {
    const kinds: Field[] = isDrawing
      ? [repeats(next, columns, rows), polygons(next)]
      : [waves(next), polygons(next), slope(next)];
    const field = kinds[Math.floor(next() * kinds.length)]!;
    const other = kinds[Math.floor(next() * kinds.length)]!;
    const border = next();
    const samples = new Uint16Array(columns * rows);
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const [u, v] = [x / columns, y / rows];
        const value = (u < border ? field(u, v) : other(u, v)) + grain * (next() - 0.5);
        samples[y * columns + x] = Math.max(0, Math.min(most, Math.round(value * most)));
      }
    }
    return samples;
  };
  const planes = [plane(width, height)];
  if (chroma !== "400") {
    const columns = chroma === "444" ? width : (width + 1) >> 1;
    const rows = chroma === "420" ? (height + 1) >> 1 : height;
    planes.push(plane(columns, rows), plane(columns, rows));
  }
  return { width, height, bitDepth, chroma, planes };
}

/** Returns a file of the YUV4MPEG2 format. Monochrome pictures get flat chroma where an encoder needs it. */
export function y4mOf({ width, height, bitDepth, chroma, planes }: PlanarPicture): Buffer {
  const layout = chroma === "400" ? "420" : chroma;
  const name = bitDepth === 8 ? (layout === "420" ? "420jpeg" : layout) : `${layout}p${bitDepth}`;
  const depth = bitDepth === 8 ? "" : ` XYSCSS=${layout.toUpperCase()}P${bitDepth}`;
  const head = `YUV4MPEG2 W${width} H${height} F25:1 Ip A1:1 C${name}${depth}\nFRAME\n`;
  const flat = new Uint16Array(((width + 1) >> 1) * ((height + 1) >> 1)).fill(2 ** (bitDepth - 1));
  const all = chroma === "400" ? [planes[0]!, flat, flat] : planes;
  return Buffer.concat([
    Buffer.from(head),
    ...all.map((plane) =>
      bitDepth === 8 ? Buffer.from(plane) : Buffer.from(plane.buffer, plane.byteOffset, plane.byteLength),
    ),
  ]);
}
