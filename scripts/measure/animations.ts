/**
 * Prints how animations compare with sharp's of the same master: bytes, and likeness to its resized frames.
 *
 *     node --import ./scripts/wasm/hooks.ts scripts/measure/animations.ts [animation ...]
 *
 * Without animations it makes some for itself: graphics on a ground and on none, and photographs that stand still
 * under something that moves, or move.
 */
import { readFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { buildAnimated, likeness, sharpFrames } from "../harness/animation-frames.ts";
import { photo } from "../samples/pictures.ts";

const [W, H, FRAMES] = [480, 360, 16];
const WIDTH = 236;

const shapes = (i: number): string =>
  `<circle cx="${60 + i * 20}" cy="${150 + 40 * Math.sin(i / 3)}" r="45" fill="#d33" stroke="#111" stroke-width="4"/>
   <rect x="${360 - i * 8}" y="220" width="80" height="60" rx="12" fill="#26a"/>`;
const drawing = (body: string): Sharp =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}">${body}</svg>`));
const rgba = (picture: Sharp): Promise<Buffer> => picture.ensureAlpha().raw().toBuffer();

async function masters(): Promise<[name: string, file: Buffer][]> {
  const files = process.argv.slice(2);
  if (files.length > 0) return files.map((file) => [file, readFileSync(file)]);
  const scene = await photo(W + 200, H + 100);
  const view = (left: number, top: number): Sharp =>
    sharp(scene.data, { raw: { width: scene.width, height: scene.height, channels: 3 } }).extract({
      ...{ left, top, width: W, height: H },
    });
  const kinds: Record<string, (i: number) => Promise<Buffer>> = {
    graphic: (i) =>
      rgba(
        drawing(
          `<path d="M0 0h480v360H0z" fill="#3b7"/><path d="M0 290h480v70H0z" fill="#852"/>${shapes(i)}`,
        ),
      ),
    sticker: (i) => rgba(drawing(shapes(i))),
    "still photo": async (i) =>
      rgba(
        sharp(
          await view(50, 50)
            .composite([{ input: await drawing(shapes(i)).png().toBuffer() }])
            .png()
            .toBuffer(),
        ),
      ),
    "moving photo": (i) => rgba(view(i * 8, i * 4)),
  };
  const found: [string, Buffer][] = [];
  for (const [name, draw] of Object.entries(kinds)) {
    const frames = await Promise.all(Array.from({ length: FRAMES }, (_, i) => draw(i)));
    const raw = { width: W, height: H * FRAMES, channels: 4 as const, pageHeight: H };
    const whole = (): Sharp => sharp(Buffer.concat(frames), { raw });
    found.push([`${name}.gif`, await whole().gif({ effort: 7 }).toBuffer()]);
    found.push([`${name}.webp`, await whole().webp({ quality: 92 }).toBuffer()]);
  }
  return found;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

for (const [name, master] of await masters()) {
  for (const format of name.endsWith(".webp") ? (["webp"] as const) : (["gif", "webp"] as const)) {
    const { bytes, spec } = await buildAnimated(master, { width: WIDTH, format });
    const resized = (): Sharp =>
      sharp(master, { pages: -1 }).resize(spec.width, spec.height, { fit: "fill" });
    const wanted = await sharpFrames(await resized().webp({ lossless: true, effort: 0 }).toBuffer());
    const db = async (file: Buffer): Promise<string> => {
      const { frames } = await sharpFrames(file);
      return mean(frames.map((frame, i) => Math.min(60, likeness(frame, wanted.frames[i]!)))).toFixed(1);
    };
    const theirs = {
      "its default": await (format === "gif" ? resized().gif() : resized().webp()).toBuffer(),
      "its hardest": await (
        format === "gif"
          ? resized().gif({ effort: 10 })
          : resized().webp({ effort: 6, minSize: true, mixed: true })
      ).toBuffer(),
    };
    const mine = `${bytes.length} bytes, ${await db(bytes)} dB`;
    const others = await Promise.all(
      Object.entries(theirs).map(
        async ([what, file]) =>
          `${what} ${file.length} (${(bytes.length / file.length).toFixed(2)}), ${await db(file)} dB`,
      ),
    );
    console.log(`${name} to ${format}: ${mine}; sharp, ${others.join("; ")}`);
  }
}
