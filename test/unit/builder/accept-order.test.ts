/** Orders and answers: busy, failed, lost. */
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { acceptOrder } from "../../../src/builder/accept-order.ts";
import { MemoryMeter } from "../../../src/builder/memory/memory-meter.ts";
import { openSource, SourceLost } from "../../../src/builder/streams/source.ts";
import type { BuildOrder, MasterPieces, OpenMaster } from "../../../src/image/protocol/build.ts";
import { ISOLATE, MASTER_PIECES } from "../../../src/limits.ts";
import {
  askedOrder,
  bitmap,
  build,
  order,
  piecesOf,
  readFont,
  take,
} from "../../../scripts/harness/builds.ts";
import { image, photo } from "../../../scripts/samples/pictures.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";
import { psnr } from "../../../scripts/harness/ssim.ts";

/** Noise at a quarter of its size, ours against sharp's, which averages differently. Any other noise has 20 dB. */
const NOISE_PSNR_MIN_DB = 30;

const masters: Record<string, Buffer> = {};
beforeAll(async () => {
  const picture = await photo(400, 300);
  masters.jpeg = await image(picture).jpeg().toBuffer();
  masters.png = await image(picture).png().toBuffer();
  masters.webp = await image(picture).webp().toBuffer();
  masters.avif = await image(picture).avif({ effort: 0 }).toBuffer();
});
const kinds = ["jpeg", "png", "webp", "avif"] as const;
const fileOf = (kind: string): Buffer => masters[kind] as Buffer;

const orderFor = (file: Buffer, more: Partial<BuildOrder> = {}): BuildOrder => ({
  ...askedOrder(file, { width: 200, format: "webp" }),
  ...more,
});

/** Returns a master of several pieces, the second of which does not come. */
const broken = (file: Buffer): MasterPieces => ({
  first: piecesOf(file).first,
  next: () => Promise.reject(new Error("gone")),
});

describe("an isolate that builds", () => {
  it("answers busy to a second order, does not open its master, and takes the next", async () => {
    const file = fileOf("jpeg");
    const first = order(file, { format: "webp" });
    const open = vi.fn<OpenMaster>();
    const second = await acceptOrder(orderFor(file), { space: "a space", open, readFont });
    expect(second).toMatchObject({ ok: false, code: "busy" });
    expect(open).not.toHaveBeenCalled();
    expect(await first).toMatchObject({ ok: true });
    expect(await order(file, { format: "webp" })).toMatchObject({ ok: true });
  });

  it("answers busy to what does not fit", async () => {
    const file = fileOf("jpeg");
    const answer = await take(orderFor(file, { peakBytes: ISOLATE.buildBytes + 1 }), file);
    expect(answer).toEqual({ ok: false, code: "busy" });
  });

  it("counts the most that was held at once", () => {
    const meter = new MemoryMeter();
    const [reader, writer] = [meter.hold("buffers"), meter.hold("buffers")];
    reader.set(5);
    writer.set(7);
    reader.set(0);
    writer.set(9);
    expect([meter.heldBytes, meter.peakBytes]).toEqual([9, 12]);
    expect([meter.of("buffers"), meter.mostOf("buffers")]).toEqual([9, 12]);
    meter.raise("rowCodec", 4);
    meter.raise("rowCodec", 2);
    expect([meter.heldBytes, meter.bufferBytes, meter.peakBytes]).toEqual([13, 9, 13]);
  });
});

describe("a master that does not arrive", () => {
  for (const kind of kinds) {
    it(`is a loss and not a failure when it is cut short: ${kind}`, async () => {
      const file = fileOf(kind);
      const part = file.subarray(0, Math.floor(file.length * 0.7));
      await expect(take(orderFor(file), part)).rejects.toThrow(SourceLost);
      expect(await order(file, { format: "jpeg" })).toMatchObject({ ok: true });
    });
  }

  it("is a loss when more comes than was said", async () => {
    const file = fileOf("webp");
    await expect(take(orderFor(file, { sourceBytes: file.length - 10 }), file)).rejects.toThrow(SourceLost);
  });

  it("is a loss when nothing comes any more", async () => {
    const next = () => new Promise<never>(() => undefined);
    const source = openSource({ first: piecesOf(fileOf("png")).first, next }, 2 * MASTER_PIECES.bytes, {
      stallMs: 20,
    });
    const reader = source.stream.getReader();
    await reader.read();
    await expect(reader.read()).rejects.toThrow(SourceLost);
    expect(source.lost?.message).toContain("20 ms");
  });
});

describe("the time of a build", () => {
  afterEach(() => void vi.useRealTimers());

  it("says for how long the master and its bytes were waited for", async () => {
    // The file consists of two pieces.
    const file = await sharp({
      create: {
        width: 600,
        height: 450,
        channels: 3,
        background: "#000",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    expect(Math.ceil(file.length / MASTER_PIECES.bytes)).toBe(2);
    vi.useFakeTimers({ toFake: ["Date"] });
    const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
    const pieces = piecesOf(file);
    const next = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      pass(7);
      return pieces.next();
    };
    const open = (): Promise<MasterPieces> => {
      pass(30);
      return Promise.resolve({ first: pieces.first, next });
    };
    const answer = await acceptOrder(orderFor(file), { space: "a space", open, readFont });
    expect(answer).toMatchObject({ ok: true, masterMs: 37, ms: 37 });
  });
});

describe("a master of many reads", () => {
  const SIZE = [1200, 900] as const;
  let large: Record<string, Buffer>;
  beforeAll(async () => {
    const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
    const picture = sharp({
      create: { width: SIZE[0], height: SIZE[1], channels: 3, background: "#000", noise },
    });
    large = {
      jpeg: await picture.clone().jpeg({ quality: 98 }).toBuffer(),
      progressive: await picture.clone().jpeg({ quality: 98, progressive: true }).toBuffer(),
      png: await picture.clone().png().toBuffer(),
      interlaced: await picture.clone().png({ progressive: true }).toBuffer(),
      webp: await picture.clone().webp({ lossless: true, effort: 0 }).toBuffer(),
      avif: await picture.clone().avif({ quality: 90, chromaSubsampling: "4:4:4", effort: 0 }).toBuffer(),
    };
  });

  const ASK = { width: 300, format: "png" } as const;
  for (const kind of ["jpeg", "progressive", "png", "interlaced", "webp", "avif"]) {
    it(`is the same picture from pieces whose memory is given back: ${kind}`, async () => {
      const file = large[kind] as Buffer;
      expect(file.length).toBeGreaterThan(2 * MASTER_PIECES.bytes);
      const { bytes } = await build(file, ASK);
      const expected = await bitmap(sharp(file).resize(300), 3);
      expect(psnr(await bitmap(sharp(bytes), 3), expected)).toBeGreaterThan(NOISE_PSNR_MIN_DB);
    });
  }

  for (const kind of ["jpeg", "progressive", "png", "interlaced", "webp", "avif"]) {
    it(`is a loss when a piece does not come: ${kind}`, async () => {
      const file = large[kind] as Buffer;
      await expect(take(askedOrder(file, ASK), broken(file))).rejects.toThrow(SourceLost);
    });
  }
});

describe("a picture at fault", () => {
  for (const kind of kinds) {
    it(`is failed with a reason, and the next build is right: ${kind}`, async () => {
      const file = fileOf(kind);
      const facts = probe(file);
      const garbage = Buffer.from(file);
      // Almost any bytes are a VP8 picture once its header has passed.
      for (let i = kind === "webp" ? 20 : 60; i < garbage.length; i++) garbage[i] = (i * 73 + (i >> 3)) & 255;
      const answer = await order(garbage, { width: 200, format: "webp" }, facts);
      expect(answer).toMatchObject({ ok: false, code: "failed" });
      expect(!answer.ok && answer.code === "failed" && answer.reason.length).toBeGreaterThan(5);
      expect((await build(file, { width: 200, format: "png" })).bytes.length).toBeGreaterThan(1000);
    });

    it(`is failed when the file is another picture than the one that was probed: ${kind}`, async () => {
      const file = fileOf(kind);
      const facts = { ...probe(file), width: 399, codedWidth: 399 };
      expect(await order(file, { width: 200, format: "webp" }, facts)).toMatchObject({
        ok: false,
        code: "failed",
      });
    });
  }

  it("is failed for a decoder that this builder does not have", async () => {
    const { plan, ...rest } = orderFor(fileOf("jpeg"));
    const foreign = { ...plan, decoder: { name: "jpeg-2000" } } as never;
    expect(await take({ ...rest, plan: foreign }, fileOf("jpeg"))).toMatchObject({
      ok: false,
      code: "failed",
    });
  });
});
