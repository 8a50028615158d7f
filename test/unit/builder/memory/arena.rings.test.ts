/** The arena: wiped between builds, bounded, and whole again after a codec that failed. */
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { Arena } from "../../../../src/builder/memory/arena.ts";
import { buildVariant } from "../../../../src/builder/build.ts";
import { MODULES } from "../../../../src/builder/emscripten/modules.ts";
import { SYMBOLS, type CodecName } from "../../../../src/builder/emscripten/symbols.ts";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import { AVIF_STATE_BYTES, CANVAS_FLOOR_BYTES } from "../../../../src/image/memory/isolate.ts";
import type { OutputFormat } from "../../../../src/image/formats/registry.ts";
import { bitmap, specFor, type Ask, wholeOf, contextOf } from "../../../../scripts/harness/builds.ts";
import { cutout, image, photo } from "../../../../scripts/samples/pictures.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { psnr } from "../../../../scripts/harness/ssim.ts";
import { WebpDecodeError } from "../../../../src/builder/codecs/webp/decoder-module.ts";
import { CodecError } from "../../../../src/builder/emscripten/errors.ts";
import { InvalidImageError } from "../../../../src/image/bytes/errors.ts";
import { isZero } from "../../../support/is-zero.ts";
import { ofRing } from "../../../support/ring.ts";

const MEGABYTE = 1_048_576;

function buildIn(shop: BuildMemory, file: Buffer, ask: Ask, bytes: Uint8Array = file) {
  const facts = probe(file);
  const spec = specFor(facts, ask);
  return wholeOf(buildVariant(contextOf(bytes, { facts, spec, memory: shop })));
}

const masters = {} as Record<OutputFormat, Buffer>;
beforeAll(async () => {
  const picture = await cutout(500, 400);
  masters.jpeg = await image(await photo(500, 400))
    .jpeg()
    .toBuffer();
  masters.png = await image(picture).png().toBuffer();
  masters.webp = await image(picture).webp().toBuffer();
  masters.avif = await image(picture).avif({ effort: 0 }).toBuffer();
});

describe("a codec that is started again", () => {
  const NAMES = Object.keys(MODULES) as CodecName[];

  it.each(NAMES)("finds the memory as a new instance does: %s", (name) => {
    const arena = new Arena();
    const canvas = arena.canvas(1_000);
    arena.bytes(canvas).fill(5);
    const started = Array.from({ length: 5 }, () => {
      const codec = arena.start(name);
      const memory = new Uint8Array(arena.memory.buffer).slice();
      // A codec may leave its heap, its data, and its stack behind.
      const span = codec.malloc(3_000_000);
      arena.bytes(span).fill(7);
      arena.bytes({ pointer: 2_000, length: 5_000 }).fill(9);
      return { memory, span };
    });
    for (const { memory, span } of started) {
      const { length } = started[0]!.memory;
      expect(Buffer.compare(memory.subarray(0, length), started[0]!.memory)).toBe(0);
      expect(isZero(memory, length)).toBe(true);
      expect(span).toEqual(started[0]!.span);
    }
  });

  it("gives the same pixels each time, in what one instance takes, after a refusal too", () => {
    const arena = new Arena(40 * MEGABYTE);
    const pixels = (): Buffer => {
      const codec = arena.start("avif-decoder");
      const file = codec.malloc(masters.avif.length);
      codec.bytes(file).set(masters.avif);
      return Buffer.from(codec.bytes(codec.call("decode", file, 8)));
    };
    const first = pixels();
    expect(first.length).toBe(500 * 400 * 4);
    const peakBytes = arena.takePeak();
    for (let i = 0; i < 4; i++) {
      expect(() => arena.start("avif-decoder").malloc(60 * MEGABYTE)).toThrow(CodecError);
      expect(Buffer.compare(pixels(), first)).toBe(0);
    }
    // And its data, which are kept beside the memory.
    expect(arena.takePeak() - peakBytes).toBeLessThan(AVIF_STATE_BYTES);
  });

  it("is made anew when another was there in between, or a canvas", () => {
    const arena = new Arena();
    const first = arena.start("avif-decoder");
    const second = arena.start("avif-decoder");
    expect(second).not.toBe(first);
    expect(arena.start("avif-decoder")).toBe(second);
    arena.canvas(100);
    const third = arena.start("avif-decoder");
    expect(third).not.toBe(second);
    arena.reset();
    arena.start("webp-encoder");
    expect(arena.start("avif-decoder")).not.toBe(third);
  });
});

describe("after a build", () => {
  const FORMATS = ["jpeg", "png", "webp", "avif"] as const;
  const pairs = FORMATS.flatMap((from) => FORMATS.map((format) => ({ from, format })));
  const shop = new BuildMemory();
  // Each third pair has each format on either side.
  for (const { from, format } of ofRing(pairs, 3)) {
    it(`nothing is left of it in any memory, from ${from} to ${format}`, async () => {
      await buildIn(shop, masters[from], { width: 300, format, quality: format === "avif" ? 80 : 90 });
      for (const memory of [shop.arena.memory, shop.resampler.memory, shop.rowCodec.memory]) {
        expect(isZero(memory)).toBe(true);
      }
    });
  }

  it("the same order gives the same bytes, whatever was built before", async () => {
    const shop = new BuildMemory();
    const first = await buildIn(shop, masters.webp, { width: 200, format: "avif" });
    for (const from of ["avif", "jpeg", "png"] as const)
      await buildIn(shop, masters[from], { width: 300, format: "webp" });
    const again = await buildIn(shop, masters.webp, { width: 200, format: "avif" });
    expect(again.pieces).toEqual(first.pieces);
    expect(again.peakBytes).toBe(first.peakBytes);
  });
});

describe("a file that breaks its decoder", () => {
  const broken = (file: Buffer, from: number): Buffer => {
    const bytes = Buffer.from(file);
    for (let i = from; i < bytes.length; i += 3) bytes[i] = (i * 167) & 255;
    return bytes;
  };

  for (const from of ["webp", "avif"] as const) {
    it(`fails alone: ${from}`, async () => {
      const shop = new BuildMemory();
      const spoilt = broken(masters[from], Math.floor(masters[from].length / 2) - 200);
      const headless = broken(masters[from], 40);
      const failing = buildIn(shop, masters[from], { format: "jpeg" }, headless);
      await expect(failing).rejects.toThrow(from === "avif" ? InvalidImageError : WebpDecodeError);
      await buildIn(shop, masters[from], { format: "jpeg" }, spoilt).catch(() => undefined);
      for (const memory of [shop.arena.memory, shop.resampler.memory]) expect(isZero(memory)).toBe(true);
      const { pieces } = await buildIn(shop, masters[from], { format: "png" });
      const mine = await bitmap(sharp(Buffer.concat(pieces)).flatten({ background: "#fff" }), 3);
      const theirs = await bitmap(sharp(masters[from]).flatten({ background: "#fff" }), 3);
      expect(psnr(mine, theirs)).toBeGreaterThan(40);
    });
  }
});

describe("the maximum", () => {
  it("ends a build that needs more, and the next one is right", async () => {
    const shop = new BuildMemory(17 * MEGABYTE);
    // A picture of one colour: its decoder takes 20 MB whatever it shows.
    const large = await sharp({ create: { width: 5200, height: 4000, channels: 3, background: "#36c" } })
      .webp({ lossless: true, effort: 0 })
      .toBuffer();
    for (const format of ["jpeg", "webp", "avif"] as const) {
      const failing = buildIn(shop, large, { width: 2000, format });
      await expect(failing).rejects.toMatchObject({ failure: "out-of-memory" });
      expect(shop.arena.byteLength).toBeLessThanOrEqual(17 * MEGABYTE);
    }
    const { pieces } = await buildIn(shop, masters.jpeg, { width: 200, format: "webp" });
    expect((await sharp(Buffer.concat(pieces)).metadata()).width).toBe(200);
  });
});

describe("the codecs", () => {
  const GLUE: Record<CodecName, string> = {
    "avif-decoder": "avif/codec/dec/avif_dec.js",
    "webp-decoder": "webp/codec/dec/webp_dec.js",
    "webp-encoder": "webp/codec/enc/webp_enc_simd.js",
  };

  for (const name of Object.keys(SYMBOLS) as CodecName[]) {
    it(`${name}: its letters mean what its own glue says`, () => {
      const glue = readFileSync(`node_modules/@jsquash/${GLUE[name]}`, "utf8");
      const table = /wasmImports=\{([^}]*)\}/.exec(glue)?.[1] ?? "";
      const meanings = new Map(
        [...table.matchAll(/"?(\w+)"?:_*(\w+)/g)].map(([, letter, what]) => [letter, what]),
      );
      expect(meanings.size).toBeGreaterThan(15);
      const acting = Object.entries(SYMBOLS[name].imports);
      for (const [letter, act] of acting) expect(meanings.get(letter)).toMatch(new RegExp(`^${act}(_|$)`));
      const acts = new Set(acting.map(([, act]) => act));
      for (const [letter, meaning] of meanings) {
        const isActing = [...acts].some((act) =>
          new RegExp(`^${act}(_js|_big|_[iv]+)?$`).test(meaning as string),
        );
        if (isActing) expect(Object.keys(SYMBOLS[name].imports)).toContain(letter);
      }
      for (const [what, letter] of Object.entries(SYMBOLS[name].exports)) {
        const named = { initialise: "___wasm_call_ctors", malloc: "_malloc", table: "wasmTable" }[what];
        if (named) expect(glue).toMatch(new RegExp(`${named}=[^;]{0,80}\\["${letter}"\\]`));
      }
    });

    it(`${name}: its program break is where it is said to be, and its data end below every canvas`, () => {
      const arena = new Arena();
      const codec = arena.start(name);
      expect(codec.usedBytes).toBeLessThan(CANVAS_FLOOR_BYTES);
      for (const size of [200_000, 3_000_000, 100]) {
        const { pointer } = codec.malloc(size);
        expect(codec.usedBytes).toBeGreaterThan(pointer + size);
        expect(codec.usedBytes).toBeLessThan(pointer + size + 4_000_000);
        expect(isZero(arena.memory, codec.usedBytes)).toBe(true);
      }
      expect(MODULES[name]).toBeInstanceOf(WebAssembly.Module);
    });
  }
});
