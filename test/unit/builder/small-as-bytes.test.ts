/** Small files that leave the builder in its answer, if the edge takes them so. */
import sharp from "sharp";
import { expect, it, vi } from "vitest";
import { bodyOf } from "../../../src/builder/streams/portable-output.ts";
import { smallAsBytes } from "../../../src/builder/small-as-bytes.ts";
import type { BuildOrder } from "../../../src/image/protocol/build.ts";
import { BUILDER } from "../../../src/limits.ts";
import { order, specFor, streamOf, take } from "../../../scripts/harness/builds.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";
import { image, photo } from "../../../scripts/samples/pictures.ts";

const MAX = BUILDER.answeredBytesMax;

it("sends a file of the largest size as bytes, gives its memory back, and is over", () => {
  const pieces = [Uint8Array.of(1, 2, 3), new Uint8Array(MAX - 5).fill(7), Uint8Array.of(8, 9)];
  const whole = Buffer.concat(pieces);
  const ended = vi.fn();
  const body = smallAsBytes(bodyOf)(pieces, MAX, { ended });
  expect(body).toBeInstanceOf(Uint8Array);
  expect(whole.equals(body as Uint8Array)).toBe(true);
  expect(pieces.map((piece) => piece.length)).toEqual([0, 0, 0]);
  expect(ended).toHaveBeenCalledOnce();
});

it("streams a file of a byte more", async () => {
  const ended = vi.fn();
  const body = smallAsBytes(bodyOf)([new Uint8Array(MAX), Uint8Array.of(5)], MAX + 1, { ended });
  expect(body).toBeInstanceOf(ReadableStream);
  expect(ended).not.toHaveBeenCalled();
  expect(await new Response(body).bytes()).toHaveLength(MAX + 1);
  expect(ended).toHaveBeenCalledOnce();
});

it("answers an edge that takes bytes with the bytes that another one reads from a stream", async () => {
  const master = await image(await photo(400, 300))
    .jpeg()
    .toBuffer();
  const facts = probe(master);
  const spec = specFor(facts, { width: 100, format: "webp" });
  const orderOf = (): BuildOrder => ({ spec, facts, sourceBytes: master.length, peakBytes: 1 });
  const asBytes = await take({ ...orderOf(), takesBytes: true }, streamOf(master));
  const asStream = await take(orderOf(), streamOf(master));
  if (!asBytes.ok || !asStream.ok) throw new Error("not built");
  expect([asBytes.body instanceof Uint8Array, asStream.body instanceof ReadableStream]).toEqual([true, true]);
  const streamed = Buffer.from(await new Response(asStream.body).arrayBuffer());
  expect(streamed.equals(asBytes.body as Uint8Array)).toBe(true);
  expect((await sharp(streamed).metadata()).width).toBe(100);
  // Nothing is held for the answer that was taken: there is room for the next build.
  expect(await order(master, { width: 50, format: "webp" })).toMatchObject({ ok: true });
});
