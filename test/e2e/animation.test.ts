/** Animations over HTTP: always built in the background, with every frame (interface §4.2 rules 9 to 11). */
import sharp from "sharp";
import { expect, inject, it } from "vitest";
import { newSpace, picture, upload, variantOf } from "../support/api.ts";
import { sample } from "../support/animation-samples.ts";

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

it("is never frozen: a format that would lose frames is refused", async () => {
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
