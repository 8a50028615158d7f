/** A master that comes in pieces, which are asked for ahead. */
import { describe, expect, it } from "vitest";
import { openSource, SourceLost } from "../../../../src/builder/streams/source.ts";
import type { MasterPieces } from "../../../../src/image/protocol/build.ts";
import { MASTER_PIECES } from "../../../../src/limits.ts";

const { bytes: PIECE_BYTES, aheadMax: AHEAD_MAX, heldMax: HELD_MAX } = MASTER_PIECES;

function master(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = (at >> 9) + at;
  return bytes;
}

/**
 * Returns the pieces of `file` in answers of their own, as they come from another Worker, and notes how many are waited
 * for.
 */
function piecesOf(file: Uint8Array<ArrayBuffer>, { last = Infinity }: { last?: number } = {}) {
  const piece = (n: number) => file.slice(n * PIECE_BYTES, (n + 1) * PIECE_BYTES);
  const seen = { asked: 0, waiting: 0, waitingMax: 0, disposed: 0 };
  const pieces: MasterPieces = {
    first: piece(0),
    async next() {
      const n = (seen.asked += 1);
      seen.waiting += 1;
      seen.waitingMax = Math.max(seen.waitingMax, seen.waiting);
      await new Promise((resolve) => setTimeout(resolve));
      seen.waiting -= 1;
      if (n > last) throw new Error("the storage does not answer");
      return piece(n);
    },
    [Symbol.dispose]: () => void (seen.disposed += 1),
  };
  return { pieces, seen };
}

describe("a master in pieces", () => {
  it.each([1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 6.5 * PIECE_BYTES])(
    "of %d bytes comes whole",
    async (length) => {
      const file = master(length);
      const { pieces, seen } = piecesOf(file);
      const source = openSource(pieces, length);
      const chunks: Uint8Array[] = [];
      for await (const chunk of source.stream) chunks.push(chunk.slice());
      expect(Buffer.concat(chunks).equals(file)).toBe(true);
      expect(seen.asked).toBe(Math.ceil(length / PIECE_BYTES) - 1);
      await source.close();
      expect(seen.disposed).toBe(1);
    },
  );

  it("has as many pieces there at a time as the reserve of an isolate has room for", async () => {
    const length = 12 * PIECE_BYTES;
    const { pieces } = piecesOf(master(length));
    const come: Uint8Array<ArrayBuffer>[] = [pieces.first];
    const counts: number[] = [];
    const count = (): number => counts.push(come.filter(({ buffer }) => !buffer.detached).length);
    const counted: MasterPieces = {
      first: pieces.first,
      async next() {
        const piece = await pieces.next();
        come.push(piece);
        count();
        return piece;
      },
    };
    const source = openSource(counted, length);
    const reader = source.stream.getReader();
    while (!(await reader.read()).done) {
      // Until the pieces that were asked for have come.
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
      count();
    }
    expect(Math.max(...counts)).toBe(AHEAD_MAX + HELD_MAX);
    await source.close();
  });

  it("is asked for ahead, by as many calls as may wait at a time", async () => {
    const { pieces, seen } = piecesOf(master(9 * PIECE_BYTES));
    const source = openSource(pieces, 9 * PIECE_BYTES);
    const reader = source.stream.getReader();
    await reader.read();
    // Before the second piece is wanted.
    expect(seen.asked).toBe(AHEAD_MAX);
    while (!(await reader.read()).done);
    expect(seen.waitingMax).toBe(AHEAD_MAX);
  });

  it("gives the memory of a piece back when the next but one is asked for", async () => {
    const file = master(4 * PIECE_BYTES);
    const reader = openSource(piecesOf(file).pieces, file.length).stream.getReader();
    const held: Uint8Array[] = [];
    const next = async () => held.push((await reader.read()).value!);
    await next();
    await next();
    expect(Buffer.compare(held[0]!, file.subarray(0, PIECE_BYTES))).toBe(0);
    await next();
    expect(held.map(({ length }) => length)).toEqual([0, PIECE_BYTES, PIECE_BYTES]);
  });

  it("is not asked for any more, and held no longer, once the source is closed", async () => {
    const { pieces, seen } = piecesOf(master(9 * PIECE_BYTES));
    const source = openSource(pieces, 9 * PIECE_BYTES);
    const { value } = await source.stream.getReader().read();
    await source.close();
    await expect.poll(() => seen.waiting).toBe(0);
    expect(value).toHaveLength(0);
    expect(seen).toMatchObject({ asked: AHEAD_MAX, disposed: 1 });
  });

  it.each(["at once", "to a piece that comes later"])(
    "ends a read that waits when it is closed, %s",
    async (how) => {
      let give: (piece: Uint8Array<ArrayBuffer>) => void = () => undefined;
      const next = () => new Promise<Uint8Array<ArrayBuffer>>((resolve) => (give = resolve));
      const source = openSource({ first: master(PIECE_BYTES), next }, 2 * PIECE_BYTES);
      const reader = source.stream.getReader();
      await reader.read();
      const read = reader.read();
      await new Promise((resolve) => setTimeout(resolve));
      await source.close();
      if (how !== "at once") give(master(PIECE_BYTES));
      await expect(read).rejects.toBeInstanceOf(SourceLost);
    },
  );

  it.each<[string, MasterPieces, number]>([
    ["cannot be read to its end", piecesOf(master(6 * PIECE_BYTES), { last: 3 }).pieces, 6],
    ["ends early", piecesOf(master(3 * PIECE_BYTES)).pieces, 6],
    ["stalls", { first: master(PIECE_BYTES), next: () => new Promise(() => undefined) }, 2],
  ])("is lost when it %s", async (_, pieces, count) => {
    const source = openSource(pieces, count * PIECE_BYTES, { stallMs: 20 });
    const read = async () => {
      for await (const chunk of source.stream) expect(chunk).toHaveLength(PIECE_BYTES);
    };
    await expect(read()).rejects.toBeInstanceOf(SourceLost);
    expect(source.lost).toBeInstanceOf(SourceLost);
  });
});
