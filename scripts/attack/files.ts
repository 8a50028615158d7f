/** Files that are small to send and dear to read, draw or sanitize. */
import sharp from "sharp";
import { codedPicture, heif, property } from "../samples/probe/avif.ts";

const svg = (content: string, size = 1000): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">${content}</svg>`;

const times = (count: number, write: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => write(n)).join("");

/** Drawings that resvg would draw for seconds, in one piece. */
export const dearDrawings: Record<string, string> = {
  "300 dashed paths": svg(times(300, (n) => `<path d="M0 ${n}h1000" stroke="red" stroke-dasharray=".001"/>`)),
  "10 dashed lines": svg(
    times(10, (n) => `<line x2="1000" y1="${n}" y2="${n}" stroke="red" stroke-dasharray=".001"/>`),
  ),
  "a zigzag of 40,000 edges": svg(`<path d="M0 0${times(40_000, (n) => `V${(n % 2) * 999}`)}"/>`),
  // Two shapes each, so that none can be drawn without a layer of its own.
  "3,000 translucent groups": svg(
    times(3000, () => '<g opacity=".9"><path d="M0 0h1000v1000H0z"/><path d="M0 0h9v9z"/></g>'),
  ),
};

/** Drawings that cost the sanitizer, by bytes, selectors, nesting and references. */
export const dearDocuments: Record<string, string> = {
  "250,000 classes in a selector": svg(`<style>${".a".repeat(250_000)}{fill:red}</style><rect class="a"/>`),
  "4,500 attribute selectors": svg(
    `<style>${times(4500, (n) => `[class~="b${n}" i]{fill:red}`)}</style>` +
      times(9, () => `<rect class="${"c ".repeat(16_000)}"/>`),
  ),
  "128 nested transforms": svg(times(128, () => `<rect transform="${"a(".repeat(16_000)}"/>`)),
  "a chain of 20,000 uses": svg(
    `${times(20_000, (n) => `<use id="u${n}" href="#u${n + 1}"/>`)}<rect id="u20000"/>`,
  ),
  "130,000 arguments of :is": svg(`<style>:is(${"a,".repeat(130_000)}a){fill:red}</style><rect/>`),
  "a chain of 12,000 gradients": svg(
    `${times(12_000, (n) => `<linearGradient id="g${n}" href="#g${n + 1}"/>`)}<rect fill="url(#g0)"/>`,
  ),
};

/** Returns an AVIF whose one item has a sequence header and the same frame `frames` times. */
export async function avifOfManyFrames(frames: number): Promise<Uint8Array<ArrayBuffer>> {
  const side = 1000;
  const flat = await sharp({ create: { width: side, height: side, channels: 3, background: "#336699" } })
    .avif({ quality: 30 })
    .toBuffer();
  const { av1C, data } = codedPicture(flat);
  const units = obusOf(data);
  const isFrame = (unit: Uint8Array): boolean => (((unit[0] ?? 0) >> 3) & 15) === OBU_FRAME;
  const head = units.filter((unit) => !isFrame(unit));
  const frame = units.filter(isFrame);
  const item = Buffer.concat([...head, ...Array.from({ length: frames }, () => frame).flat()]);
  const properties = [property.ispe(side, side), av1C, property.pixi(8, 8, 8)];
  return new Uint8Array(heif([{ type: "av01", properties, data: item }]));
}

const OBU_FRAME = 6;

/** Returns the OBUs of an item, which all have a size field (AV1, section 5.3). */
function obusOf(data: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  for (let at = 0; at < data.length;) {
    const hasExtension = ((data[at] ?? 0) & 4) !== 0;
    let next = at + (hasExtension ? 2 : 1);
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = data[next++] ?? 0;
      size |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    units.push(data.subarray(at, next + size));
    at = next + size;
  }
  return units;
}

/** Returns a photograph-like JPEG: noise on a plain ground, of another content for each seed. */
export function picture(width: number, height: number, seed: number): Promise<Buffer> {
  const background = { r: (seed * 37) % 256, g: (seed * 91) % 256, b: (seed * 53) % 256 };
  return sharp({
    create: { width, height, channels: 3, background, noise: { type: "gaussian", mean: 128, sigma: 40 } },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
}
