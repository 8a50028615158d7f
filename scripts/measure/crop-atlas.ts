/**
 * Draws an atlas of crops: one page with every kind of master, ratio and focal point, our crop above sharp's and how
 * alike they are. The test of a thousand crops proves the numbers; this page is for the eye.
 *
 *     node scripts/run.mjs scripts/measure/crop-atlas.ts [photograph]
 *
 * Without a photograph it draws a test card. The page is dist/crop-atlas.html, with all pictures inside.
 */
import "../wasm/hooks.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { CROP } from "../../src/limits.ts";
import type { FocalPoint } from "../../src/image/geometry/focal-point.ts";
import { parseRatio } from "../../src/image/geometry/aspect-ratio.ts";
import { cropOf } from "../../src/image/geometry/crop.ts";
import { psnr } from "../harness/ssim.ts";

const { bitmap, build } = await import("../harness/builds.ts");

const OUT = "dist";
const MASTER_WIDTH = 900;
const MASTER_HEIGHT = 600;
const CROP_WIDTH = 120;
/** Percent of width and height: two corners, the centre, and places from which the crop is pushed back. */
const FOCAL_POINTS: FocalPoint[] = [
  { x: 0, y: 0 },
  { x: 25, y: 75 },
  { x: 50, y: 50 },
  { x: 70, y: 30 },
  { x: 100, y: 100 },
];
const SIDEWAYS = 6;

/** Numbered cells over a gradient, with circles that show when a crop is out of proportion. */
function testCard(): string {
  const columns = 9;
  const rows = 6;
  const side = MASTER_WIDTH / columns;
  let cells = "";
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const [cx, cy] = [(x + 0.5) * side, (y + 0.5) * side];
      cells += `<circle cx="${cx}" cy="${cy}" r="${side * 0.42}" fill="hsl(${x * 40} 70% ${35 + y * 8}%)"/>
        <text x="${cx}" y="${cy + 12}" font-size="34" font-family="sans-serif" text-anchor="middle" fill="#fff">${y * columns + x}</text>`;
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${MASTER_WIDTH}" height="${MASTER_HEIGHT}">
    <rect width="100%" height="100%" fill="#e9e4da"/>${cells}</svg>`;
}

async function masters(): Promise<[kind: string, file: Buffer][]> {
  const [photograph] = process.argv.slice(2);
  const card = Buffer.from(testCard());
  const upright = await sharp(photograph ?? card)
    .autoOrient()
    .resize(MASTER_WIDTH)
    .flatten()
    .png()
    .toBuffer();
  const from = (): Sharp => sharp(upright);
  const sideways = sharp(await from().rotate(-90).toBuffer());
  const rounded = `<svg width="${MASTER_WIDTH}" height="${MASTER_HEIGHT}"><ellipse cx="50%" cy="50%" rx="50%" ry="50%"/></svg>`;
  const made: [string, Buffer][] = [
    ["JPEG", await from().jpeg({ quality: 95 }).toBuffer()],
    ["progressive JPEG", await from().jpeg({ quality: 95, progressive: true }).toBuffer()],
    [
      "JPEG on its side",
      await sideways.jpeg({ quality: 95 }).withMetadata({ orientation: SIDEWAYS }).toBuffer(),
    ],
    ["PNG", upright],
    ["WebP", await from().webp({ quality: 95 }).toBuffer()],
    ["AVIF", await from().avif({ quality: 90, effort: 2 }).toBuffer()],
    ["GIF", await from().gif().toBuffer()],
  ];
  if (photograph) return made;
  const alpha = await from()
    .composite([{ input: Buffer.from(rounded), blend: "dest-in" }])
    .png()
    .toBuffer();
  return [...made, ["PNG with alpha", alpha], ["SVG", card]];
}

const embedded = (png: Buffer): string => `data:image/png;base64,${png.toString("base64")}`;

async function cell(file: Buffer, ratio: string, focalPoint: FocalPoint): Promise<string> {
  const { bytes, spec, masterFacts } = await build(file, {
    format: "png",
    ratio,
    focalPoint,
    width: CROP_WIDTH,
  });
  const whole = sharp(await sharp(file).autoOrient().png().toBuffer());
  const crop = cropOf(masterFacts, parseRatio(ratio)!, focalPoint);
  const cut = crop ? whole.extract(crop.rect) : whole;
  const theirs = await cut.resize(spec.width, spec.height, { fit: "fill" }).png().toBuffer();
  const onWhite = (png: Buffer): Sharp => sharp(png).flatten({ background: "#fff" });
  const likeness = psnr(await bitmap(onWhite(bytes), 3), await bitmap(onWhite(theirs), 3));
  const picture = (png: Buffer): string =>
    `<img src="${embedded(png)}" width="${spec.width}" height="${spec.height}" alt="">`;
  const label = `${ratio} · ${focalPoint.x}, ${focalPoint.y} · ${likeness === Infinity ? "equal" : `${likeness.toFixed(1)} dB`}`;
  return `<figure>${picture(bytes)}${picture(theirs)}<figcaption>${label}</figcaption></figure>`;
}

let body = "";
for (const [kind, file] of await masters()) {
  body += `<h2>${kind}</h2>`;
  for (const focalPoint of FOCAL_POINTS) {
    const cells: string[] = [];
    for (const ratio of CROP.aspectRatiosDefault) cells.push(await cell(file, ratio, focalPoint));
    body += `<div>${cells.join("")}</div>`;
  }
  console.log(`${kind}: ${FOCAL_POINTS.length * CROP.aspectRatiosDefault.length} crops`);
}
mkdirSync(OUT, { recursive: true });
writeFileSync(
  `${OUT}/crop-atlas.html`,
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Crops: ours above sharp's</title>
<style>body{font:12px system-ui;margin:24px;background:#f4f2ee;color:#333}div{display:flex;gap:14px;align-items:start;flex-wrap:wrap;margin-bottom:16px}
figure{margin:0;width:${CROP_WIDTH}px}img{display:block;margin-bottom:2px;background:repeating-conic-gradient(#ddd 0 25%,#fff 0 50%) 0 0/12px 12px}</style>
<h1>Crops: ours above, sharp's below</h1>${body}</html>`,
);
console.log(`${OUT}/crop-atlas.html`);
