/** The presets of an upload over HTTP: built while nobody waits, hits for the first who asks (RULES 9.7). */
import sharp from "sharp";
import { expect, inject, it } from "vitest";
import { bearer, json, newSpace, picture, upload } from "../../../scripts/harness/api.ts";

const POLL_MS = 500;
const PRESETS = [236, 500, 750, 1000].flatMap((width) => [`${width} avif`, `${width} webp`]);

interface Variant {
  width: number;
  format: string;
  createdAt: string;
}

it("a fresh upload's presets become hits, and cost no budget", async () => {
  const space = await newSpace(inject("service"));
  const headers = { ...bearer(space.key), "Content-Type": "application/json" };
  const body = JSON.stringify({ prebuild: "presets" });
  await json(await fetch(`${space.api}/settings`, { method: "PATCH", headers, body }));
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const jpeg = await sharp({ create: { width: 1200, height: 800, channels: 3, background: "#357", noise } })
    .jpeg()
    .toBuffer();
  const media = await upload(space, jpeg);

  const read = async (): Promise<Variant[]> =>
    json(await fetch(`${space.api}/media/${media.id}/variants`, { headers: bearer(space.key) }));
  let variants: Variant[] = [];
  for (;;) {
    variants = await read();
    if (variants.length >= PRESETS.length) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const built = variants.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  expect(built.map(({ width, format }) => `${width} ${format}`)).toEqual(PRESETS);

  for (const width of [236, 500, 750, 1000]) {
    for (const accept of ["image/avif,image/webp", "image/webp"]) {
      const answer = await picture(space, media.id, `w=${width}&q=80&auto=format`, { accept });
      expect(answer).toMatchObject({ status: 302, state: "hit", width });
    }
  }
  const usage = await json<{ coldBudget: { used: number } }>(
    await fetch(`${space.api}/usage`, { headers: bearer(space.key) }),
  );
  expect(usage.coldBudget.used).toBe(0);
});
