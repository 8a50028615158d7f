/** Pieces of a finished build are given away: the sender takes the memory of each piece away as it goes. */
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { buildVariant } from "../../../../src/builder/build.ts";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import type { VariantSpec } from "../../../../src/image/model/variant.ts";
import type { VariantFormat } from "../../../../src/image/formats/registry.ts";
import { specFor, wholeOf, contextOf } from "../../../../scripts/harness/builds.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";

const masters = {} as { still: Buffer; animation: Buffer };
beforeAll(async () => {
  masters.still = await image(await photo(700, 600))
    .resize(2800, 2400)
    .jpeg()
    .toBuffer();
  const frames = Buffer.concat([Buffer.alloc(200 * 100 * 3, 40), Buffer.alloc(200 * 100 * 3, 200)]);
  masters.animation = await sharp(frames, { raw: { width: 200, height: 200, channels: 3, pageHeight: 100 } })
    .gif({ loop: 0, delay: [100, 100] })
    .toBuffer();
});

const shop = new BuildMemory();

async function piecesOf(file: Buffer, width: number, format: VariantFormat, animated: boolean) {
  const facts = probe(file);
  const spec: VariantSpec = { ...specFor(facts, { width, format: "png" }), format, quality: 80, animated };
  return (await wholeOf(buildVariant(contextOf(file, { facts, spec, memory: shop })))).pieces;
}

it.each<[name: string, master: keyof typeof masters, width: number, format: VariantFormat]>([
  ["JPEG", "still", 300, "jpeg"],
  ["PNG", "still", 300, "png"],
  ["a small WebP", "still", 300, "webp"],
  ["a large WebP", "still", 2800, "webp"],
  ["AVIF", "still", 300, "avif"],
  ["an animated GIF", "animation", 100, "gif"],
  ["an animated WebP", "animation", 100, "webp"],
])("the pieces of %s are all of their buffers, and the next build does not need them", async (...asked) => {
  const [, master, width, format] = asked;
  const build = () => piecesOf(masters[master], width, format, master === "animation");
  const first = await build();
  const bytes = Buffer.concat(first);
  for (const piece of first) {
    expect(piece.buffer.byteLength).toBe(piece.length);
    piece.buffer.transfer(0);
  }
  expect(Buffer.concat(await build()).equals(bytes)).toBe(true);
});
