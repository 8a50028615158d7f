/** Long JPEGs without EOI: stored if their scan is whole, and refused without a trace if it was cut off. */
import { expect, it } from "vitest";
import { makePicture } from "../../../scripts/samples/jpeg/picture.ts";
import { writeJpeg } from "../../../scripts/samples/jpeg/writer.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { request, ROOT } from "../support/http.ts";
import { bindings, makeSpace } from "../support/rows.ts";

cleanBetweenTests();

const KEPT_BYTES = 1_048_576;

it("stores a JPEG of over a megabyte without EOI byte for byte, and refuses one that was cut off", async () => {
  const { name } = await makeSpace();
  const whole = writeJpeg(makePicture(1200, 900, [[1, 1], [1, 1], [1, 1]])); // prettier-ignore
  expect(whole.length).toBeGreaterThan(KEPT_BYTES);
  const upload = (body: Uint8Array) =>
    request(`/api/v1/${name}/media`, { method: "POST", headers: ROOT, body: body.slice() });

  const stored = await upload(whole.subarray(0, -2));
  expect(stored.status).toBe(201);
  expect(await stored.json()).toMatchObject({ data: { width: 1200, height: 900 } });
  const objects = async (): Promise<R2Object[]> => (await bindings.BUCKET.list()).objects;
  const before = await objects();
  const [file] = before;
  const kept = await bindings.BUCKET.get(file?.key ?? "");
  const bytes = new Uint8Array((await kept?.arrayBuffer()) ?? []);
  // Comparing arrays of this length by `toEqual` takes seconds.
  expect(bytes.length).toBe(whole.length - 2);
  expect(bytes.findIndex((byte, at) => byte !== whole[at])).toBe(-1);

  for (const cut of [40, 300_000]) {
    const refused = await upload(whole.subarray(0, -cut));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: "INVALID_IMAGE" } });
  }
  expect(await objects()).toHaveLength(before.length);
});
