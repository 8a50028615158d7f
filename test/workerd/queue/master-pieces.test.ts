/** A master on its way from R2 to the builder, in pieces. */
import { describe, expect, test } from "vitest";
import { MASTER_PIECES, MEGABYTE_BYTES } from "../../../src/limits.ts";
import { openPieces } from "../../../src/edge/queue/work/master-pieces.ts";
import type { MasterPieces } from "../../../src/image/protocol/build.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

const { bytes: PIECE_BYTES, aheadMax: AHEAD_MAX, firstRangeBytes, rangeMaxBytes } = MASTER_PIECES;
const KEY = "m/space/media/1/master.jpg";

const BYTES = Uint8Array.from({ length: 11 * MEGABYTE_BYTES }, (_, at) => (at >> 9) * 3 + at);

/** Returns the bucket, with a note of every range that is read of it. */
function noted() {
  const ranges: [offset: number, length: number][] = [];
  const get = (key: string, options: { range: { offset: number; length: number } }) => {
    ranges.push([options.range.offset, options.range.length]);
    return bindings.BUCKET.get(key, options);
  };
  return { bucket: { get } as unknown as R2Bucket, ranges };
}

async function open(length: number, sizeBytes = length, signal = new AbortController().signal) {
  await bindings.BUCKET.put(KEY, BYTES.subarray(0, length));
  const { bucket, ranges } = noted();
  const ended = { count: 0 };
  const pieces = await openPieces({ bucket, key: KEY, sizeBytes }, signal, () => (ended.count += 1));
  if (!pieces) throw new Error("there is no master");
  return { pieces, ranges, ended };
}

/** Reads on to the end, several pieces at a time. The content of one is looked at as soon as it has come. */
async function rest({ first, next }: MasterPieces): Promise<Uint8Array[]> {
  const pieces = [first.slice()];
  for (;;) {
    const more = await Promise.all(
      Array.from({ length: AHEAD_MAX }, () => next().then((piece) => piece.slice())),
    );
    pieces.push(...more.filter(({ length }) => length > 0));
    if (more.some(({ length }) => length === 0)) return pieces;
  }
}

describe("a master", () => {
  test.each([
    [1, 1],
    [PIECE_BYTES, 1],
    [PIECE_BYTES + 1, 2],
    [firstRangeBytes, firstRangeBytes / PIECE_BYTES],
    [firstRangeBytes + 1, firstRangeBytes / PIECE_BYTES + 1],
    [9 * MEGABYTE_BYTES + 77, 19],
  ])("of %d bytes comes in %d pieces, all but the last of one length", async (length, count) => {
    const { pieces, ended } = await open(length);
    const all = await rest(pieces);
    expect(all.map((piece) => piece.length)).toEqual(
      Array.from({ length: count }, (_, n) => Math.min(PIECE_BYTES, length - n * PIECE_BYTES)),
    );
    const whole = new Uint8Array(await new Blob(all).arrayBuffer());
    expect(whole.length).toBe(length);
    expect(whole.every((byte, at) => byte === BYTES[at])).toBe(true);
    expect(ended.count).toBeGreaterThan(0);
  });

  test("is read in ranges, each twice as long as the one before up to the longest, the next one opened ahead", async () => {
    const { pieces, ranges } = await open(11 * MEGABYTE_BYTES);
    // The first piece is there.
    expect(ranges).toEqual([
      [0, firstRangeBytes],
      [firstRangeBytes, 2 * firstRangeBytes],
    ]);
    await rest(pieces);
    expect(ranges.slice(2)).toEqual([
      [3 * firstRangeBytes, rangeMaxBytes],
      [3 * firstRangeBytes + rangeMaxBytes, 4 * firstRangeBytes],
    ]);
  });

  test("that does not exist is null", async () => {
    expect(
      await openPieces(
        { bucket: bindings.BUCKET, key: "m/none", sizeBytes: 10 },
        new AbortController().signal,
      ),
    ).toBeNull();
  });

  test("that is removed while it is read is an error", async () => {
    const { pieces } = await open(9 * MEGABYTE_BYTES);
    await bindings.BUCKET.delete(KEY);
    await expect(rest(pieces)).rejects.toThrow("the master was removed while it was read");
  });

  test("that is shorter than its row says is an error", async () => {
    const { pieces } = await open(PIECE_BYTES + 100, PIECE_BYTES + 200);
    await expect(pieces.next()).rejects.toThrow("of 200 bytes of the master 100 came");
  });

  test("is not read any more once its build is over", async () => {
    const over = new AbortController();
    const { pieces, ended } = await open(9 * MEGABYTE_BYTES, undefined, over.signal);
    over.abort();
    await expect(rest(pieces)).rejects.toThrow();
    expect(ended.count).toBeGreaterThan(0);
  });

  test("is asked for by no more calls at a time than have a buffer", async () => {
    const { pieces } = await open(9 * MEGABYTE_BYTES);
    const calls = Array.from({ length: AHEAD_MAX + 1 }, () => pieces.next());
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: AHEAD_MAX }, () => "fulfilled"),
      "rejected",
    ]);
  });
});
