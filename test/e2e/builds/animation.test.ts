/** Animations over HTTP: always built in the background, with every frame (RULES 6.1 to 6.3). */
import sharp from "sharp";
import { expect, inject, it } from "vitest";
import { newSpace, picture, upload, variantOf } from "../../../scripts/harness/api.ts";
import { sample } from "../../../scripts/samples/animation/samples.ts";
import { writeWebpAnimation } from "../../../scripts/samples/animation/writers.ts";
import { box, heif, property, track } from "../../../scripts/samples/probe/avif.ts";
import { bytes as encoded } from "../../../scripts/samples/probe/bytes.ts";

const service = inject("service");
const space = await newSpace(service);
const { gif, webp } = await sample("graphic");
const accept = "image/avif,image/webp,*/*";

it.each([
  ["GIF", gif, "w=64", "image/gif"],
  ["GIF, asked for as WebP", gif, "w=64&fm=webp", "image/webp"],
  ["GIF, negotiated", gif, "w=128&auto=format", "image/webp"],
  ["animated WebP", webp, "w=64", "image/webp"],
] as const)("%s is queued, then a hit with all frames", async (_name, master, query, type) => {
  const { id, url, frames } = await upload(space, master);
  expect(frames).toBe(6);
  expect(await picture(space, id, query, { accept })).toMatchObject({
    status: 302,
    state: "queued",
    location: url,
    cacheControl: "public, max-age=30",
  });
  const built = await variantOf(space, id, query, { accept });
  expect(built.type).toBe(type);
  expect(await picture(space, id, query, { accept })).toMatchObject({
    state: "hit",
    location: built.location,
  });
  const { pages, width, loop } = await sharp(built.bytes, { pages: -1 }).metadata();
  expect({ pages, width, loop }).toEqual({ pages: 6, width: built.width, loop: 3 });
});

it("never loses frames: a format for stills is refused", async () => {
  const { id } = await upload(space, gif);
  for (const fm of ["jpeg", "png", "avif"]) {
    expect(await picture(space, id, `w=64&fm=${fm}`)).toMatchObject({ status: 400 });
  }
});

it("a GIF of one frame is a still like others", async () => {
  const still = await sharp(gif, { page: 0 }).gif().toBuffer();
  const { id } = await upload(space, still);
  for (const [query, type] of [
    ["w=64&fm=png", "image/png"],
    ["w=64&fm=avif", "image/avif"],
    ["w=64&fm=jpeg", "image/jpeg"],
    ["w=64", "image/gif"],
  ] as const) {
    const built = await variantOf(space, id, query);
    expect(built.type).toBe(type);
    expect((await sharp(built.bytes).metadata()).width).toBe(64);
  }
});

it("a WebP of one frame in the format of animations is a still like others", async () => {
  const rgba = new Uint8Array(100 * 80 * 4).fill(200);
  const frames = [{ left: 20, top: 10, width: 100, height: 80, rgba }];
  const { id } = await upload(space, await writeWebpAnimation({ width: 200, height: 160, frames }));
  for (const format of ["png", "jpeg", "webp", "avif"]) {
    const { bytes, type } = await variantOf(space, id, `w=128&fm=${format}`);
    expect(type).toBe(`image/${format}`);
    expect(await sharp(bytes).metadata()).toMatchObject({
      width: 128,
      height: 102,
      hasAlpha: format !== "jpeg",
    });
  }
});

it("an AVIF sequence is answered as its master, never as a still", async () => {
  const tile = { type: "av01", properties: [property.ispe(64, 48), property.av1C()], data: encoded("AV1") };
  const file = heif([tile], { brands: ["avis", "avif"], after: box("moov", track()) });
  const { id, url } = await upload(space, file);
  for (const query of ["w=64", "w=64&auto=format", "w=64&fm=webp", "w=64&fm=avif"]) {
    const { status, location } = await picture(space, id, query, { accept });
    expect([query, status, location]).toEqual([query, 302, url]);
  }
  for (const fm of ["jpeg", "png"]) {
    expect(await picture(space, id, `w=64&fm=${fm}`)).toMatchObject({ status: 400 });
  }
});
