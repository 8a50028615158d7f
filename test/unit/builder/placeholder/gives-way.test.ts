/** A placeholder never stands in the way of a build, of whatever space, in its isolate. */
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Background } from "../../../../src/builder/background.ts";
import { SourceLost } from "../../../../src/builder/streams/source.ts";
import { acceptPlaceholder } from "../../../../src/builder/accept-order.ts";
import type { MasterPieces, OpenMaster } from "../../../../src/image/protocol/build.ts";
import { MASTER_PIECES } from "../../../../src/limits.ts";
import { piecesOf, readFont, takePlaceholder } from "../../../../scripts/harness/builds.ts";
import { build, order } from "../../../../scripts/harness/builds.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import {
  placeholderAnswer,
  placeholderOf,
  placeholderOrder,
} from "../../../support/placeholders/placeholders.ts";

const BUSY = { ok: false, code: "busy" };
let small: Buffer;
let large: Buffer;
beforeAll(async () => {
  small = await image(await photo(300, 200))
    .jpeg()
    .toBuffer();
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  // The file consists of many pieces.
  large = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: "#765", noise } })
    .png({ compressionLevel: 1 })
    .toBuffer();
});
afterEach(() => void vi.useRealTimers());

interface Slowly {
  pieces: MasterPieces;
  /** The file is being read. */
  begun: Promise<void>;
}

function beginning(): { begun: Promise<void>; begin: () => void } {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return { begun, begin: () => begin() };
}

/** Brings the first piece of the file and then nothing. */
function stalled(file: Buffer): Slowly & { isDisposed: () => boolean } {
  let isDisposed = false;
  const { begun, begin } = beginning();
  const next = (): Promise<never> => {
    begin();
    return new Promise(() => undefined);
  };
  const pieces = { first: piecesOf(file).first, next, [Symbol.dispose]: () => void (isDisposed = true) };
  return { pieces, begun, isDisposed: () => isDisposed };
}

/** Brings the file in ten seconds at least, so that a decode of it is under way for as long. */
function slow(file: Buffer): Slowly {
  const pieces = piecesOf(file);
  const delayMs = 10_000 / (file.length / MASTER_PIECES.bytes);
  const { begun, begin } = beginning();
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  /** Gives one piece after the other, however many are asked for ahead. */
  const next = (): Promise<Uint8Array<ArrayBuffer>> => {
    const piece = last.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (++count > 2) begin();
      return pieces.next();
    });
    last = piece;
    return piece;
  };
  return { pieces: { first: pieces.first, next }, begun };
}

describe("an order that comes while a placeholder is made", () => {
  it("is built, in the middle of a long decode", async () => {
    const { pieces, begun } = slow(large);
    const making = takePlaceholder(placeholderOrder(large), pieces);
    await begun;
    const built = await build(small, { width: 100, format: "webp" });
    expect(built.bytes.length).toBeGreaterThan(0);
    expect(await making).toEqual(BUSY);
    expect(await placeholderOf(large)).toMatchObject({ ok: true });
  });

  it("is built while the placeholder waits for its master", async () => {
    const { pieces, begun, isDisposed } = stalled(large);
    const making = takePlaceholder(placeholderOrder(large), pieces);
    await begun;
    expect(await order(small, { format: "webp" })).toMatchObject({ ok: true });
    expect(await making).toEqual(BUSY);
    expect(isDisposed()).toBe(true);
  });

  it("is built before another placeholder", async () => {
    const { pieces, begun } = slow(large);
    const making = takePlaceholder(placeholderOrder(large), pieces);
    await begun;
    const [built, other] = await Promise.all([order(small, { format: "webp" }), placeholderAnswer(small)]);
    expect([built.ok, other, await making]).toEqual([true, BUSY, BUSY]);
  });

  it("does not change the placeholder if it is too late to stop it", async () => {
    const undisturbed = await placeholderOf(small);
    const [made] = await Promise.all([placeholderAnswer(small), order(small, { format: "webp" })]);
    if (made.ok) expect(made).toEqual(undisturbed);
    else expect(made).toEqual(BUSY);
  });
});

describe("a placeholder", () => {
  it("is not begun beside a build or another placeholder, and its master is not opened", async () => {
    for (const run of [() => order(small, { format: "avif" }), () => placeholderAnswer(large)]) {
      const running = run();
      const open = vi.fn<OpenMaster>();
      const answer = await acceptPlaceholder(placeholderOrder(small), { space: "a space", open, readFont });
      expect(answer).toMatchObject(BUSY);
      expect(open).not.toHaveBeenCalled();
      expect(await running).toMatchObject({ ok: true });
    }
  });

  it("whose master does not arrive is lost, not failed", async () => {
    const part = small.subarray(0, small.length >> 1);
    await expect(takePlaceholder(placeholderOrder(small), part)).rejects.toThrow(SourceLost);
    expect(await placeholderOf(small)).toMatchObject({ ok: true });
  });
});

describe("an order does not wait for ever", () => {
  it("for work whose room is gone", async () => {
    vi.useFakeTimers();
    const background = new Background();
    const work = background.begin();
    let waited = false;
    void background.giveWay().then(() => (waited = true));
    expect(background.begin()).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    expect([waited, work?.isUnwanted]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(waited).toBe(true);
  });
});
