/** Pictures made of whole numbers alone, so that any implementation of ThumbHash hashes the same bytes. */

interface Pattern {
  width: number;
  height: number;
  rgba: Uint8Array;
}

function pattern(width: number, height: number, pixel: (x: number, y: number) => number[]): Pattern {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) rgba.set(pixel(i % width, Math.floor(i / width)), i * 4);
  return { width, height, rgba };
}

export const patterns = {
  "a landscape gradient": pattern(100, 60, (x, y) => [2 * x, 4 * y, 255 - x - y, 255]),
  "a portrait of two colours": pattern(40, 90, (x, y) =>
    (x >> 3) + (y >> 4) > 5 ? [200, 30, 10, 255] : [20, 60, 220, 255],
  ),
  "a square with soft alpha": pattern(64, 64, (x, y) => [3 * x, 3 * y, 128, Math.min(255, 4 * x)]),
  "a disc on nothing": pattern(80, 50, (x, y) =>
    (x - 40) ** 2 + (y - 25) ** 2 < 400 ? [250, 220, 20, 255] : [0, 0, 0, 0],
  ),
  "nothing that is seen": pattern(9, 5, () => [80, 90, 100, 0]),
  "one row": pattern(100, 1, (x) => [x, 2 * x, 255 - 2 * x, 255]),
  "one column": pattern(1, 100, (_, y) => [y, 255 - y, 40, 255]),
} satisfies Record<string, Pattern>;
