/**
 * A builder of this version beside an edge of the previous one. test/workerd/queue/previous-version.test.ts has the
 * other way round.
 */
import sharp from "sharp";
import { beforeAll, expect, it, vi } from "vitest";
import { askedOrder, bitmap, piecesOf, readFont, streamOf } from "../../../../scripts/harness/builds.ts";
import { psnr } from "../../../../scripts/harness/ssim.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import { acceptOrder } from "../../../../src/builder/accept-order.ts";
import type { BuildOrder, OpenMaster } from "../../../../src/image/protocol/build.ts";

let file: Buffer;
beforeAll(async () => {
  file = await image(await photo(1200, 900))
    .jpeg({ quality: 100 })
    .toBuffer();
});

/** Opens the master as an edge of the previous version does: as a stream, unless it is asked for pieces. */
const open: OpenMaster = (as?: string) =>
  Promise.resolve(as === "pieces" ? piecesOf(file) : (streamOf(file) as never));

it("gets pieces from it, and answers with bytes, as the order takes them", async () => {
  const order = { ...askedOrder(file, { width: 300, format: "webp" }), takesBytes: true };
  const answer = await acceptOrder(order, { space: "a space", open, readFont });
  if (!answer.ok || !(answer.body instanceof Uint8Array)) throw new Error("no bytes");
  const expected = await bitmap(sharp(file).resize(300), 3);
  expect(psnr(await bitmap(sharp(answer.body), 3), expected)).toBeGreaterThan(30);
});

it("refuses the order of an edge that is older still, and does not open its master", async () => {
  const { encoderVersion, plan, ...rest } = askedOrder(file, { width: 300, format: "webp" });
  expect([encoderVersion, plan.kind]).toEqual([expect.any(Number), "still"]);
  const unopened = vi.fn<OpenMaster>();
  const call = { space: "a space", open: unopened, readFont };
  expect(await acceptOrder(rest as BuildOrder, call)).toMatchObject({ ok: false, code: "version" });
  expect(unopened).not.toHaveBeenCalled();
});
