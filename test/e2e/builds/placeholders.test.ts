/** Placeholders over HTTP: made in the background for every kind of master, and in nobody's way. */
import sharp, { type Sharp } from "sharp";
import { expect, inject, it } from "vitest";
import { writeApng } from "../../../scripts/samples/animation/writers.ts";
import {
  bearer,
  json,
  newSpace,
  picture,
  upload,
  variantOf,
  type MediaObject,
} from "../../../scripts/harness/api.ts";
import { avifSequence } from "../../../scripts/samples/avif/sequence.ts";
import { image, photo } from "../../../scripts/samples/pictures.ts";
import { drawing } from "../../../scripts/samples/svg/svg.ts";
import { described } from "../../support/placeholders/described.ts";
import { likenessTo } from "../../support/placeholders/placeholder-likeness.ts";

const service = inject("service");
const space = await newSpace(service);

const POLL_MS = 500;

const scene = (ground: string): Sharp =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400"
    fill="${ground}"/><circle cx="120" cy="120" r="90" fill="#e8c020"/><path d="M600 400H340L600 180Z" fill="#c8281e"/></svg>`),
  ).removeAlpha();
const GROUND = "#1c5a3c";
const OTHER = "#e0e0f0";
const rgba = (ground: string): Promise<Buffer> => scene(ground).ensureAlpha().raw().toBuffer();

async function animated(): Promise<Sharp> {
  const pages = Buffer.concat([await rgba(GROUND), await rgba(OTHER)]);
  return sharp(pages, { raw: { width: 600, height: 800, channels: 4, pageHeight: 400 } });
}

async function apng(): Promise<Uint8Array> {
  const whole = { left: 0, top: 0, width: 600, height: 400 };
  const frames = [
    { ...whole, rgba: await rgba(GROUND) },
    { ...whole, rgba: await rgba(OTHER) },
  ];
  return writeApng({ width: 600, height: 400, frames });
}

async function sequence(): Promise<Uint8Array> {
  const still = (ground: string): Promise<Buffer> =>
    scene(ground).avif({ quality: 90, effort: 0 }).toBuffer();
  return avifSequence([await still(GROUND), await still(OTHER)], 600, 400);
}

const kinds: [string, () => Promise<Uint8Array>][] = [
  ["JPEG", () => scene(GROUND).jpeg({ quality: 95 }).toBuffer()],
  ["PNG", () => scene(GROUND).png().toBuffer()],
  ["WebP", () => scene(GROUND).webp({ quality: 95 }).toBuffer()],
  ["AVIF", () => scene(GROUND).avif({ quality: 90, effort: 0 }).toBuffer()],
  ["GIF", () => scene(GROUND).gif({ dither: 0 }).toBuffer()],
  ["animated GIF", async () => (await animated()).gif({ dither: 0 }).toBuffer()],
  ["animated WebP", async () => (await animated()).webp({ quality: 95 }).toBuffer()],
  ["animated PNG", apng],
  ["AVIF sequence", sequence],
];

it("of every kind are what sharp sees, and change nothing else", async () => {
  const files = await Promise.all(kinds.map(([, make]) => make()));
  const uploads = [];
  for (const [n, file] of files.entries()) uploads.push(await upload(space, file, kinds[n]?.[0]));
  expect(uploads.map(({ placeholder }) => placeholder)).toEqual(kinds.map(() => null));
  for (const [n, uploaded] of uploads.entries()) {
    const { placeholder, ...rest } = await described(space, uploaded.id);
    expect({ ...rest, placeholder: null }).toEqual(uploaded);
    // sharp reads no sequences; of the other animations it shows the first frame.
    const seen = uploaded.filename === "AVIF sequence" ? scene(GROUND) : sharp(files[n]);
    const { mean, colourLevels } = await likenessTo(placeholder!, seen);
    expect(mean, uploaded.filename).toBeLessThan(3);
    expect(colourLevels, uploaded.filename).toBe(0);
  }
});

it("of a drawing, and of a photo that is lying on its side", async () => {
  const svg = await upload(space, drawing("chart.svg"), "chart.svg");
  const turned = await scene(GROUND).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
  const photo = await upload(space, turned);
  const drawn = await described(space, svg.id);
  expect((await likenessTo(drawn.placeholder!, sharp(drawing("chart.svg")))).mean).toBeLessThan(4);
  const upright = await described(space, photo.id);
  expect((await likenessTo(upright.placeholder!, sharp(turned).autoOrient())).mean).toBeLessThan(3);
});

it("are made anew for a new file", async () => {
  const flat = (background: string): Promise<Buffer> =>
    sharp({ create: { width: 400, height: 300, channels: 3, background } })
      .png()
      .toBuffer();
  const { id } = await upload(space, await flat("#204060"));
  expect((await described(space, id)).placeholder?.dominantColor).toBe("#204060");
  const body = new Uint8Array(await flat("#a0c0e0"));
  const replaced: MediaObject = await json(
    await fetch(`${space.api}/media/${id}/file`, { method: "PUT", headers: bearer(space.key), body }),
  );
  expect(replaced).toMatchObject({ masterVersion: 2, placeholder: null });
  expect((await described(space, id, 2)).placeholder?.dominantColor).toBe("#a0c0e0");
});

it("do not delay visitors: variants are built while placeholders are made", async () => {
  const large = await sharp({ create: { width: 7000, height: 5000, channels: 3, background: "#345" } })
    .png()
    .toBuffer();
  const small = await scene(GROUND).jpeg().toBuffer();
  const visited = await upload(space, small);
  const uploads = await Promise.all([1, 2, 3, 4].map(() => upload(space, large)));
  const first = uploads.at(-1);
  // Until the first of them has its own, the others are being made; each request below breaks one off.
  await described(space, first.id);
  for (const width of [64, 128, 236, 500]) {
    const { state } = await picture(space, visited.id, `w=${width}&fm=webp`);
    expect(["built", "queued"]).toContain(state);
    expect((await variantOf(space, visited.id, `w=${width}&fm=webp`)).type).toBe("image/webp");
  }
  for (const { id } of uploads)
    expect((await described(space, id)).placeholder?.dominantColor).toBe("#334455");
});

it("come with a focal point, where the space asks for it, which crops follow until one is set", async () => {
  const suggesting = await newSpace(service);
  const set = (path: string, body: object): Promise<MediaObject> =>
    fetch(`${suggesting.api}${path}`, {
      method: "PATCH",
      headers: { ...bearer(suggesting.key), "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }).then((response) => json(response));
  await set("/settings", { suggestFocalPoint: true });
  // A photograph that is lying on its side: upright it is 600 x 900, and its subject near the lower end.
  const ground = image(await photo(600, 900))
    .modulate({ brightness: 0.5 })
    .blur(12);
  const subject = Buffer.from(
    `<svg width="160" height="160"><circle cx="80" cy="80" r="80" fill="#f0a070"/></svg>`,
  );
  const upright = await ground
    .composite([{ input: subject, left: 300, top: 640 }])
    .png()
    .toBuffer();
  const lying = await sharp(upright)
    .rotate(-90)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer();
  const { id } = await upload(suggesting, lying);
  const read = (): Promise<MediaObject> =>
    fetch(`${suggesting.api}/media/${id}`, { headers: bearer(suggesting.key) }).then((response) =>
      json(response),
    );
  await expect.poll(async () => (await read()).placeholder, { interval: POLL_MS }).toBeTruthy();
  const { focalPoint, focalPointSuggested } = await read();
  expect(focalPoint).toBeNull();
  expect(focalPointSuggested!.y).toBeGreaterThan(0.6);

  /** Returns the mean colour in the middle of the place where a crop shows the subject, if it does. */
  const redAt = async (top: number): Promise<number> => {
    const { bytes } = await variantOf(suggesting, id, "ar=1:1&w=600&fm=png");
    const area = { left: 340, top: 680 - top, width: 80, height: 80 };
    const middle = await sharp(bytes).extract(area).png().toBuffer();
    return (await sharp(middle).stats()).channels[0]!.mean;
  };
  // The lowest square of the picture begins at 300; the centre's, at 150, would cut the subject off.
  const lowest = Math.min(300, Math.round(focalPointSuggested!.y * 900 - 300));
  await expect.poll(() => redAt(lowest), { interval: POLL_MS }).toBeGreaterThan(220);
  await set(`/media/${id}`, { focalPoint: { x: 0.5, y: 0 } });
  expect(await read()).toMatchObject({ focalPoint: { x: 0.5, y: 0 }, focalPointSuggested });
});
