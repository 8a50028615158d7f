import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { JpegDecodeError, decodeJpeg } from "../../../../../src/builder/codecs/jpeg/decoder.ts";
import { decode, factsOf, newArena } from "../../../../../scripts/harness/jpeg-decoding.ts";
import { workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { runMutations } from "../../../../../scripts/fuzz/jpeg-mutations.ts";
import { makePicture } from "../../../../../scripts/samples/jpeg/picture.ts";
import { type ScanSpec, progression, writeJpeg } from "../../../../../scripts/samples/jpeg/writer.ts";
import { rounds } from "../../../../support/ring.ts";

const YCC = [[2, 2], [1, 1], [1, 1]] as const; // prettier-ignore
const picture = makePicture(50, 40, YCC);

const refused = (code: string): object => ({ name: "JpegDecodeError", code });

function indexOfMarker(file: Uint8Array, marker: number): number {
  return file.findIndex((byte, at) => byte === 0xff && file[at + 1] === marker);
}

describe("input that is refused by name", () => {
  test.each([
    [0xc9, "Arithmetic coding is not supported"],
    [0xca, "Arithmetic coding is not supported"],
    [0xc3, "Lossless JPEG is not supported"],
    [0xc5, "Hierarchical JPEG is not supported"],
    [0xce, "Hierarchical JPEG is not supported"],
  ])("frame marker %i", async (frameMarker, message) => {
    const file = writeJpeg(picture, { frameMarker });
    await expect(decode(file)).rejects.toMatchObject({ ...refused("UNSUPPORTED"), message });
  });

  test("12-bit samples", async () => {
    const file = writeJpeg(picture, { frameMarker: 0xc1, precision: 12 });
    await expect(decode(file)).rejects.toMatchObject({
      ...refused("UNSUPPORTED"),
      message: "Samples of 12 bits are not supported",
    });
  });

  test("more scans than any real file has", async () => {
    const dc = { components: [0, 1, 2], first: 0, last: 0 };
    const scans: ScanSpec[] = [{ ...dc, low: 1 }, ...Array.from({ length: 500 }, () => ({ ...dc, high: 1 }))];
    const file = writeJpeg(makePicture(8, 8, YCC), { frameMarker: 0xc2, scans });
    await expect(decode(file)).rejects.toMatchObject(refused("TOO_MANY_SCANS"));
    const fewer = writeJpeg(makePicture(8, 8, YCC), { frameMarker: 0xc2, scans: scans.slice(0, 500) });
    expect((await decode(fewer)).width).toBe(8);
  });

  test("a file that differs from the probed one", async () => {
    const file = writeJpeg(picture);
    const facts = { ...factsOf(file), codedWidth: 49 };
    await expect(decode(file, { facts })).rejects.toMatchObject(refused("CORRUPT"));
  });

  test("a memory that may not grow", async () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 4 });
    await expect(decode(writeJpeg(picture), { memory })).rejects.toMatchObject(refused("OUT_OF_MEMORY"));
    const larger = new WebAssembly.Memory({ initial: 1, maximum: 8 });
    const file = writeJpeg(makePicture(400, 400, YCC), { frameMarker: 0xc2, scans: progression(3) });
    await expect(decode(file, { memory: larger })).rejects.toMatchObject(refused("OUT_OF_MEMORY"));
  });
});

describe("a truncated file is never decoded as a whole one", () => {
  const variants = {
    sequential: writeJpeg(picture),
    "with restarts": writeJpeg(picture, { restartInterval: 2 }),
    "a scan a component": writeJpeg(picture, { scans: [0, 1, 2].map((index) => ({ components: [index] })) }),
    progressive: writeJpeg(picture, { frameMarker: 0xc2, scans: progression(3) }),
  };
  for (const [name, file] of Object.entries(variants)) {
    test(`${name}: cut anywhere before its end`, async () => {
      const facts = factsOf(file);
      const data = indexOfMarker(file, 0xda);
      // Without its end marker alone a sequential picture is still whole.
      const whole = name === "progressive" ? file.length - 1 : file.length - 2;
      for (let length = 0; length < whole; length += length < data ? 1 : 7) {
        const outcome: unknown = await decode(file.subarray(0, length), { facts }).catch(
          (error: unknown) => error,
        );
        expect(outcome).toBeInstanceOf(JpegDecodeError);
        if (length > 2) expect(outcome).toMatchObject(refused("TRUNCATED"));
      }
      await expect(decode(file.subarray(0, whole - 1), { facts })).rejects.toMatchObject(
        refused("TRUNCATED"),
      );
    });

    test(`${name}: ended early by its own end marker`, async () => {
      const facts = factsOf(file);
      const data = indexOfMarker(file, 0xda);
      for (let length = data; length < file.length - 4; length += 61) {
        const cut = Uint8Array.from([...file.subarray(0, length), 0xff, 0xd9]);
        if (name !== "progressive")
          await expect(decode(cut, { facts })).rejects.toBeInstanceOf(JpegDecodeError);
      }
    });
  }

  test("sequential data without the end marker, or with other data after it", async () => {
    const file = variants.sequential;
    const { pixels } = await decode(file);
    expect((await decode(file.subarray(0, -2))).pixels).toEqual(pixels);
    const trailing = Uint8Array.from([...file, 0xff, 0xd8, 0xff, 0xda, 1, 2, 3]);
    expect((await decode(trailing)).pixels).toEqual(pixels);
  });

  test("a restart marker out of turn, missing, or in the middle of data", async () => {
    const file = variants["with restarts"];
    const at = indexOfMarker(file, 0xd0);
    const wrong = file.slice();
    wrong[at + 1] = 0xd3;
    await expect(decode(wrong)).rejects.toMatchObject(refused("CORRUPT"));
    const missing = Uint8Array.from([...file.subarray(0, at), ...file.subarray(at + 2)]);
    await expect(decode(missing)).rejects.toMatchObject(refused("CORRUPT"));
    const extra = Uint8Array.from([...file.subarray(0, at), 0x55, 0x55, ...file.subarray(at)]);
    await expect(decode(extra)).rejects.toMatchObject(refused("CORRUPT"));
  });

  test("fill bytes before markers and stray bytes between segments are skipped", async () => {
    const file = variants["with restarts"];
    const at = indexOfMarker(file, 0xd0);
    const { pixels } = await decode(file);
    const filled = Uint8Array.from([...file.subarray(0, at), 0xff, 0xff, ...file.subarray(at)]);
    expect((await decode(filled)).pixels).toEqual(pixels);
    const tables = indexOfMarker(file, 0xdb);
    const stray = Uint8Array.from([...file.subarray(0, tables), 1, 2, 3, ...file.subarray(tables)]);
    expect((await decode(stray)).pixels).toEqual(pixels);
  });

  test("a progressive component without a DC scan", async () => {
    const scans = [{ components: [0, 1], first: 0, last: 0 }];
    const file = writeJpeg(picture, { frameMarker: 0xc2, scans });
    await expect(decode(file)).rejects.toMatchObject(refused("CORRUPT"));
    const dcOnly = writeJpeg(picture, {
      frameMarker: 0xc2,
      scans: [{ components: [0, 1, 2], first: 0, last: 0 }],
    });
    expect((await decode(dcOnly)).width).toBe(50);
  });
});

test("the decoder yields by work, not by the clock", async () => {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const create = { width: 2800, height: 2100, channels: 3, background: "#888", noise } as const;
  const file = await sharp({ create }).jpeg({ quality: 95 }).toBuffer();
  let turns = 0;
  const yieldOnce = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  await decode(file, { yieldOnce, out: { width: 1400, height: 1050 } });
  expect(turns).toBeGreaterThan(1);
});

describe("the body is released", () => {
  /** Returns a body that goes on after the picture, and whether it was cancelled. */
  function endless(file: Uint8Array): { body: ReadableStream<Uint8Array>; isCancelled: () => boolean } {
    let cancelled = false;
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(sent ? new Uint8Array(1000) : file);
        sent = true;
      },
      cancel: () => {
        cancelled = true;
      },
    });
    return { body, isCancelled: () => cancelled };
  }

  test("after the last row and after a fault", async () => {
    const file = writeJpeg(picture);
    const out = { width: 50, height: 40 };
    const good = endless(file);
    const rows = await decodeJpeg(workspaceIn(newArena()), good.body, factsOf(file), out, 1e7);
    while (await rows.next());
    expect(good.isCancelled()).toBe(true);
    expect(await rows.next()).toBeNull();

    const bad = endless(Uint8Array.from([...file.subarray(0, -200), 0xff, 0xc4]));
    const broken = await decodeJpeg(workspaceIn(newArena()), bad.body, factsOf(file), out, 1e7);
    const drain = async (): Promise<void> => {
      while (await broken.next());
    };
    await expect(drain()).rejects.toBeInstanceOf(JpegDecodeError);
    expect(bad.isCancelled()).toBe(true);
  });
});

test("damaged files cause no trap and no hang, and the next decode in the same memory is right", async () => {
  const outcomes = await runMutations(7, rounds(400, 10_000));
  expect(outcomes["CORRUPT"]).toBeGreaterThan(20);
  expect(outcomes["TRUNCATED"]).toBeGreaterThan(5);
});
