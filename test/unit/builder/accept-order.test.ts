/** Orders and answers: busy, failed, lost. */
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { acceptOrder } from "../../../src/builder/accept-order.ts";
import { MemoryMeter } from "../../../src/builder/memory/memory-meter.ts";
import { READ_BYTES } from "../../../src/builder/streams/chunks.ts";
import { openSource, SourceLost } from "../../../src/builder/streams/source.ts";
import { readFont, take } from "../../../scripts/harness/builds.ts";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";
import { ISOLATE } from "../../../src/limits.ts";
import {
  bitmap,
  build,
  order,
  specFor,
  streamOf,
  partsOf,
  takePieces,
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

const orderFor = (file: Buffer, sourceBytes = file.length, peakBytes = 1) => {
  const facts = probe(file);
  return { spec: specFor(facts, { width: 200, format: "webp" }), facts, sourceBytes, peakBytes };
};

describe("an isolate that builds", () => {
  it("answers busy to a second order, gives its stream back unread, and takes the next", async () => {
    const file = fileOf("jpeg");
    const first = order(file, { format: "webp" });
    let [pulled, cancelled] = [0, 0];
    const second = new ReadableStream<Uint8Array>(
      {
        pull: () => {
          pulled++;
        },
        cancel: () => {
          cancelled++;
        },
      },
      { highWaterMark: 0 },
    );
    expect(await take(orderFor(file), second)).toEqual({ ok: false, code: "busy" });
    expect([pulled, cancelled]).toEqual([0, 1]);
    expect(await first).toMatchObject({ ok: true });
    expect(await order(file, { format: "webp" })).toMatchObject({ ok: true });
  });

  it("answers busy to what does not fit", async () => {
    const file = fileOf("jpeg");
    const answer = await take(orderFor(file, file.length, ISOLATE.buildBytes + 1), streamOf(file));
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
      await expect(take(orderFor(file), streamOf(part))).rejects.toThrow(SourceLost);
      expect(await order(file, { format: "jpeg" })).toMatchObject({ ok: true });
    });

    it(`is a loss when its stream breaks: ${kind}`, async () => {
      const file = fileOf(kind);
      let given = false;
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (given) controller.error(new Error("gone"));
          else controller.enqueue(Uint8Array.from(file.subarray(0, 1000)));
          given = true;
        },
      });
      await expect(take(orderFor(file), stream)).rejects.toThrow(SourceLost);
    });
  }

  it("is a loss when more comes than was said", async () => {
    const file = fileOf("webp");
    await expect(take(orderFor(file, file.length - 10), streamOf(file))).rejects.toThrow(SourceLost);
  });

  it("is a loss when nothing comes any more", async () => {
    const source = openSource(new ReadableStream<Uint8Array>({ pull: () => undefined }), 100, {
      stallMs: 20,
    });
    await expect(source.stream.getReader().read()).rejects.toThrow(SourceLost);
    expect(source.lost?.message).toContain("20 ms");
  });
});

describe("the time of a build", () => {
  afterEach(() => void vi.useRealTimers());

  it("says for how long the master and its bytes were waited for", async () => {
    const file = fileOf("jpeg");
    vi.useFakeTimers({ toFake: ["Date"] });
    const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
    let isSent = false;
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await Promise.resolve();
          pass(7);
          if (isSent) controller.close();
          else controller.enqueue(Uint8Array.from(file));
          isSent = true;
        },
      },
      { highWaterMark: 0 },
    );
    const open = (): Promise<typeof stream> => {
      pass(30);
      return Promise.resolve(stream);
    };
    const named = { encoderVersion: ENCODER_VERSION, ...orderFor(file) };
    const answer = await acceptOrder(named, { space: "a space", open, readFont });
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
  const built: Record<string, ReturnType<typeof build>> = {};
  /** What is built from the stream of a file, once per kind. */
  const builtFrom = (kind: string) => (built[kind] ??= build(large[kind] as Buffer, ASK));

  for (const kind of ["jpeg", "progressive", "png", "interlaced", "webp", "avif"]) {
    it(`is the same picture through buffers that are used again: ${kind}`, async () => {
      const file = large[kind] as Buffer;
      expect(file.length).toBeGreaterThan(2 * READ_BYTES);
      const { bytes } = await builtFrom(kind);
      const expected = await bitmap(sharp(file).resize(300), 3);
      expect(psnr(await bitmap(sharp(bytes), 3), expected)).toBeGreaterThan(NOISE_PSNR_MIN_DB);
    });
  }

  for (const kind of ["jpeg", "progressive", "png", "interlaced", "webp", "avif"]) {
    it(`is the same file from pieces whose memory is given back: ${kind}`, async () => {
      const file = Uint8Array.from(large[kind] as Buffer);
      const facts = probe(file);
      const order = { spec: specFor(facts, ASK), facts, sourceBytes: file.length, peakBytes: 1 };
      const answer = await takePieces(order, file);
      if (!answer.ok) throw new Error(JSON.stringify(answer));
      const { parts } = await partsOf(answer);
      expect(Buffer.concat(parts).equals((await builtFrom(kind)).bytes)).toBe(true);
    });
  }

  it("is read in large pieces, each of which keeps its content until the next but one is asked for", async () => {
    const file = new Uint8Array(3.5 * READ_BYTES);
    for (let at = 0; at < file.length; at++) file[at] = at >> 16;
    const source = openSource(streamOf(file, 4096), file.length);
    const lengths: number[] = [];
    let before: Uint8Array = new Uint8Array();
    let beforeAt = 0;
    for await (const chunk of source.stream) {
      expect(Buffer.compare(before, file.subarray(beforeAt, beforeAt + before.length))).toBe(0);
      beforeAt = lengths.reduce((sum, length) => sum + length, 0);
      before = chunk;
      lengths.push(chunk.length);
    }
    expect(lengths).toEqual([1, 1, 1, 0.5].map((part) => part * READ_BYTES));
  });
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

  it("is failed for a kind that is not built", async () => {
    const facts = { ...probe(fileOf("jpeg")), format: "svg" } as never;
    expect(await order(fileOf("jpeg"), { format: "webp" }, facts)).toMatchObject({
      ok: false,
      code: "failed",
    });
  });
});
