/** SSIMULACRA 2 in rows, against the reference that was compiled from Rust. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { ssimulacra2 as reference } from "../../../../scripts/bench/bytes/ssimulacra2.ts";
import type { Bitmap } from "../../../../scripts/harness/ssim.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import { ssimulacra2 } from "../../../../src/builder/look/ssimulacra2.ts";
import type { RowSource } from "../../../../src/builder/pixels/row-source.ts";
import { RowMemoryError, RowShortageError } from "../../../../src/builder/scheduling/row-errors.ts";
import { WorkMeter } from "../../../../src/builder/scheduling/work-meter.ts";
import { PAGE_BYTES } from "../../../../src/image/memory/pages.ts";
import { ssimulacra2Bytes } from "../../../../src/image/memory/ssimulacra2.ts";

/** The reference rounds a little differently where it fuses operations that we do not. */
const MOST_OFF = 0.25;

/** Hands out a bitmap in batches of `batch` rows, and no more than `rows` of them. */
function rowsOf({ data, width, height }: Bitmap, batch = 7, rows = height): RowSource {
  let y = 0;
  return {
    width,
    height,
    layout: "rgb",
    next() {
      const end = Math.min(rows, y + batch);
      const view = data.subarray(3 * width * y, 3 * width * end);
      y = end;
      return Promise.resolve(view.length > 0 ? Uint8Array.from(view) : null);
    },
  };
}

const memoryOf = (bytes: number): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: 1, maximum: Math.max(1, bytes / PAGE_BYTES) });

async function compare(first: RowSource, second: RowSource): Promise<{ score: number; used: number }> {
  let used = 0;
  const counted = (bytes: number): void => void (used = bytes);
  const memory = memoryOf(ssimulacra2Bytes(first.width));
  return { score: await ssimulacra2({ memory, work: new WorkMeter(), counted }, first, second), used };
}

async function damaged(picture: Bitmap, quality: number): Promise<Bitmap> {
  const file = await sharp(picture.data, { raw: { ...picture, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
  return { ...picture, data: await sharp(file).raw().toBuffer() };
}

describe("SSIMULACRA 2", () => {
  it.each([
    [500, 333, 60],
    [500, 333, 92],
    [301, 227, 80],
    [640, 120, 75],
    [97, 65, 85],
    [31, 90, 85],
    [9, 8, 85],
  ])("of %i x %i pixels at quality %i is that of the reference", async (width, height, quality) => {
    const picture = await photo(width, height);
    const other = await damaged(picture, quality);
    const { score, used } = await compare(rowsOf(picture), rowsOf(other, 64));
    expect(Math.abs(score - (await reference(picture, other)))).toBeLessThan(MOST_OFF);
    expect(used).toBeLessThanOrEqual(ssimulacra2Bytes(width));
  });

  it("counts the noise that the reference makes in a bright and smooth picture", async () => {
    const [width, height] = [700, 400];
    const snow = await image({ ...(await photo(width, height)), channels: 3 })
      .blur(12)
      .linear(0.3, 170)
      .raw()
      .toBuffer();
    const picture = { width, height, channels: 3, data: snow };
    const other = await damaged(picture, 90);
    const { score } = await compare(rowsOf(picture), rowsOf(other));
    expect(Math.abs(score - (await reference(picture, other)))).toBeLessThan(4 * MOST_OFF);
  });

  it("is 100 for equal pictures", async () => {
    const picture = await photo(120, 90);
    expect((await compare(rowsOf(picture), rowsOf(picture, 3))).score).toBe(100);
  });

  it("takes a gray picture for one whose colours are equal", async () => {
    const [width, height] = [96, 64];
    const gray = await image(await photo(width, height))
      .grayscale()
      .raw()
      .toBuffer();
    const data = Buffer.from(Array.from(gray).flatMap((value) => [value, value, value]));
    const rows: RowSource = { width, height, layout: "gray", next: nextOnce(Uint8Array.from(gray)) };
    expect((await compare(rows, rowsOf({ width, height, channels: 3, data }))).score).toBe(100);
  });

  it("refuses pictures of different sizes, and those that are too small", async () => {
    const [a, b, tiny] = await Promise.all([photo(40, 30), photo(40, 31), photo(40, 7)]);
    await expect(compare(rowsOf(a), rowsOf(b))).rejects.toThrow(RangeError);
    await expect(compare(rowsOf(tiny), rowsOf(tiny))).rejects.toThrow(RangeError);
  });

  it("says so when a picture ends early, or when the memory is too small", async () => {
    const picture = await photo(200, 90);
    await expect(compare(rowsOf(picture), rowsOf(picture, 7, 80))).rejects.toThrow(RowShortageError);
    const small = { memory: memoryOf(PAGE_BYTES), work: new WorkMeter() };
    await expect(ssimulacra2(small, rowsOf(picture), rowsOf(picture))).rejects.toThrow(RowMemoryError);
  });
});

function nextOnce(rows: Uint8Array): RowSource["next"] {
  let isDone = false;
  return () => {
    const view = isDone ? null : rows;
    isDone = true;
    return Promise.resolve(view);
  };
}
