/**
 * Prints the tables behind src/image/formats/{jpeg,webp,avif}/encoder-options.ts: for each encoder and each of its own settings, bytes, SSIM and
 * time over a few pictures, beside sharp at the same q.
 *
 *     node --import ./scripts/wasm/hooks.ts scripts/measure/quality.ts [photo.jpg ...]
 *
 * Without photos it makes pictures for itself.
 */
import sharp, { type Sharp } from "sharp";
import { Arena } from "../../src/builder/memory/arena.ts";
import { type RowAvifOptions, rowAvifOptions } from "../../src/image/formats/avif/encoder-options.ts";
import { type RowJpegOptions, rowJpegOptions } from "../../src/image/formats/jpeg/encoder-options.ts";
import { libwebpOptions } from "../../src/image/formats/webp/encoder-options.ts";
import { encodeAvifRows } from "../../src/builder/codecs/avif/row-encoder.ts";
import { encodeJpeg } from "../../src/builder/codecs/jpeg/encoder.ts";
import type { RowSource } from "../../src/builder/pixels/row-source.ts";
import { workspaceIn } from "../harness/png-rows.ts";
import { bitmap } from "../harness/builds.ts";
import { image, photo } from "../samples/pictures.ts";
import { type Bitmap, psnr, ssim } from "../harness/ssim.ts";

const QUALITIES = [80, 90, 95, 100] as const;
const WIDTH = 1000;

const pictures: { rgb: Bitmap; rgba: Bitmap }[] = [];
const load = async (source: Sharp): Promise<void> => {
  const raw = await source.toColourspace("srgb").removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = raw.info;
  const again = (): Sharp => sharp(raw.data, { raw: { width, height, channels: 3 } });
  pictures.push({ rgb: await bitmap(again(), 3), rgba: await bitmap(again(), 4) });
};
for (const file of process.argv.slice(2))
  await load(sharp(file).rotate().resize({ width: WIDTH, withoutEnlargement: true }));
if (pictures.length === 0)
  for (const seed of [1, 2, 3]) await load(image(await photo(4 * 480, 4 * 360, seed)).resize(960));

const arena = new Arena(1e9);
type Encode = (picture: { rgb: Bitmap; rgba: Bitmap }) => Uint8Array | Promise<Uint8Array>;

function byLibwebp(options: Record<string, number>): Encode {
  return ({ rgba }) => {
    arena.bytes(arena.canvas(rgba.data.length)).set(rgba.data);
    const codec = arena.start("webp-encoder");
    const struct = codec.options(options);
    const span = codec.call("encode", arena.canvasSpan, rgba.width, rgba.height, struct);
    const file = codec.bytes(span).slice();
    arena.reset();
    return file;
  };
}

/** Returns a source that hands out all rows at once. */
function rowsOf(rgb: Bitmap): RowSource {
  let given = false;
  const next = (): Promise<Uint8Array | null> => {
    const rows = given ? null : rgb.data;
    given = true;
    return Promise.resolve(rows);
  };
  return { width: rgb.width, height: rgb.height, layout: "rgb", next };
}

const newMemory = (): WebAssembly.Memory => new WebAssembly.Memory({ initial: 16, maximum: 400 });

const avifInRows =
  (options: RowAvifOptions): Encode =>
  async ({ rgb }) =>
    Buffer.concat(await encodeAvifRows(workspaceIn(newMemory()), rowsOf(rgb), options));

function jpegInRows(options: RowJpegOptions): Encode {
  return async ({ rgb }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of encodeJpeg(workspaceIn(newMemory()), rowsOf(rgb), options)) {
      chunks.push(chunk.slice());
    }
    return Buffer.concat(chunks);
  };
}

async function row(label: string, encode: Encode): Promise<void> {
  let [bytes, alike, noise, ms] = [0, 0, 0, 0];
  for (const picture of pictures) {
    await encode(picture);
    const start = performance.now();
    const file = await encode(picture);
    ms += performance.now() - start;
    bytes += file.length;
    const read = await bitmap(sharp(Buffer.from(file)), 3);
    alike += ssim(picture.rgb, read);
    noise += psnr(picture.rgb, read);
  }
  const n = pictures.length;
  const cells = [
    (bytes / n / 1024).toFixed(1),
    (alike / n).toFixed(4),
    (noise / n).toFixed(2),
    (ms / n).toFixed(0),
  ];
  console.log(label.padEnd(34), ...cells.map((cell) => cell.padStart(9)));
}

console.log("".padEnd(34), ...["KB", "SSIM", "PSNR", "ms"].map((cell) => cell.padStart(9)));
const chromaAt = (q: number): "420" | "444" => (q >= 90 ? "444" : "420");
for (const q of QUALITIES) {
  const chromaSubsampling = q >= 90 ? "4:4:4" : "4:2:0";
  await row(`sharp jpeg q ${q}`, ({ rgb }) =>
    sharpFile(rgb).jpeg({ quality: q, chromaSubsampling }).toBuffer(),
  );
  await row(`rows jpeg ${rowJpegOptions(q).scale}`, jpegInRows(rowJpegOptions(q)));

  await row(`sharp webp q ${q}`, ({ rgb }) => sharpFile(rgb).webp({ quality: q }).toBuffer());
  for (const method of [1, 2, 3, 4]) {
    await row(`webp method ${method}`, byLibwebp({ ...libwebpOptions(q), method }));
  }
  await row("webp method 4 sharp yuv", byLibwebp({ ...libwebpOptions(q), use_sharp_yuv: 1 }));
  if (q === 100) {
    await row(
      "webp near-lossless 60",
      byLibwebp({ ...libwebpOptions(q), lossless: 1, near_lossless: 60, method: 1 }),
    );
    await row("webp lossless", byLibwebp({ ...libwebpOptions(q), lossless: 1, method: 1 }));
  }

  await row(`sharp avif q ${q}`, ({ rgb }) => sharpFile(rgb).avif({ quality: q }).toBuffer());
  const own = rowAvifOptions(q, chromaAt(q));
  for (const baseIndex of nearby(own.baseIndex)) {
    await row(`rows avif ${baseIndex}`, avifInRows({ ...own, baseIndex }));
  }
}

function sharpFile({ data, width, height }: Bitmap): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

function nearby(own: number): number[] {
  return [own - 5, own, own + 5].filter((value) => value > 0);
}
