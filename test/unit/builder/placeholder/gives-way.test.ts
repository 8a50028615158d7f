/** A placeholder never stands in the way of a build, of whatever space, in its isolate. */
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Background } from "../../../../src/builder/background.ts";
import { SourceLost } from "../../../../src/builder/streams/source.ts";
import { takePlaceholder } from "../../../../scripts/harness/builds.ts";
import { build, order, streamOf } from "../../../../scripts/harness/builds.ts";
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
  large = await sharp({ create: { width: 6000, height: 4000, channels: 3, background: "#765" } })
    .png()
    .toBuffer();
});
afterEach(() => void vi.useRealTimers());

interface Slowly {
  stream: ReadableStream<Uint8Array>;
  /** The file is being read. */
  begun: Promise<void>;
}

function beginning(): { begun: Promise<void>; begin: () => void } {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return { begun, begin: () => begin() };
}

/** Brings the file's first bytes and then nothing. */
function stalled(file: Buffer): Slowly & { cancelled: () => boolean } {
  let [given, cancelled] = [false, false];
  const { begun, begin } = beginning();
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (given) {
        begin();
        return new Promise(() => undefined);
      }
      given = true;
      controller.enqueue(Uint8Array.from(file.subarray(0, 1000)));
    },
    cancel: () => void (cancelled = true),
  });
  return { stream, begun, cancelled: () => cancelled };
}

/** Brings the file in ten seconds at least, so that a decode of it is under way for as long. */
function slow(file: Buffer): Slowly {
  const pieceBytes = Math.ceil(file.length / 2000);
  const { begun, begin } = beginning();
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (at > 2 * pieceBytes) begin();
      if (at < file.length) controller.enqueue(Uint8Array.from(file.subarray(at, (at += pieceBytes))));
      else controller.close();
    },
  });
  return { stream, begun };
}

describe("an order that comes while a placeholder is made", () => {
  it("is built, in the middle of a long decode", async () => {
    const { stream, begun } = slow(large);
    const making = takePlaceholder(placeholderOrder(large), stream);
    await begun;
    const built = await build(small, { width: 100, format: "webp" });
    expect(built.bytes.length).toBeGreaterThan(0);
    expect(await making).toEqual(BUSY);
    expect(await placeholderOf(large)).toMatchObject({ ok: true });
  });

  it("is built while the placeholder waits for its master", async () => {
    const { stream, begun, cancelled } = stalled(small);
    const making = takePlaceholder(placeholderOrder(small), stream);
    await begun;
    expect(await order(small, { format: "webp" })).toMatchObject({ ok: true });
    expect(await making).toEqual(BUSY);
    expect(cancelled()).toBe(true);
  });

  it("is built before another placeholder", async () => {
    const { stream, begun } = slow(large);
    const making = takePlaceholder(placeholderOrder(large), stream);
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
  it("is not begun beside a build or another placeholder, and its master stays unread", async () => {
    for (const run of [() => order(small, { format: "avif" }), () => placeholderAnswer(large)]) {
      const running = run();
      const { stream, cancelled } = stalled(small);
      expect(await takePlaceholder(placeholderOrder(small), stream)).toEqual(BUSY);
      expect(cancelled()).toBe(true);
      expect(await running).toMatchObject({ ok: true });
    }
  });

  it("whose master does not arrive is lost, not failed", async () => {
    const part = small.subarray(0, small.length >> 1);
    await expect(takePlaceholder(placeholderOrder(small), streamOf(part))).rejects.toThrow(SourceLost);
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
