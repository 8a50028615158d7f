/** Small files that leave the builder in its answer. */
import sharp from "sharp";
import { expect, it, vi } from "vitest";
import { bodyOf } from "../../../src/builder/streams/portable-output.ts";
import { smallAsBytes } from "../../../src/builder/small-as-bytes.ts";
import { BUILDER } from "../../../src/limits.ts";
import { bitmap, order } from "../../../scripts/harness/builds.ts";
import { psnr } from "../../../scripts/harness/ssim.ts";
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

it("answers an order of a small variant with its bytes, and holds nothing of them", async () => {
  const master = await image(await photo(400, 300))
    .jpeg()
    .toBuffer();
  const answer = await order(master, { width: 100, format: "webp" });
  if (!answer.ok || !(answer.body instanceof Uint8Array)) throw new Error("no bytes");
  expect(answer.body).toHaveLength(answer.byteLength);
  expect((await sharp(answer.body).metadata()).width).toBe(100);
  expect(
    psnr(await bitmap(sharp(answer.body), 3), await bitmap(sharp(master).resize(100), 3)),
  ).toBeGreaterThan(30);
  // There is room for the next build.
  expect(await order(master, { width: 50, format: "webp" })).toMatchObject({ ok: true });
});
