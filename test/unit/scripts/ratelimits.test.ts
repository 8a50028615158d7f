import { expect, it } from "vitest";
import { readConfigs } from "../../../scripts/deploy/configs.ts";
import { DELIVERY } from "../../../src/limits.ts";

interface RateLimit {
  name: string;
  namespace_id: string;
  simple: { limit: number; period: number };
}

it("has a counter in wrangler.toml for each kind of request, with the ceiling of the rules", async () => {
  const { edge } = await readConfigs(".");
  const { ratelimits } = edge as unknown as { ratelimits: RateLimit[] };
  expect(ratelimits.map(({ name }) => name)).toEqual(["IMAGE_FLOOD", "FILE_FLOOD", "DIRECT_FLOOD"]);
  const { floodRequestsPerMinute: limit, floodWindowSeconds: period } = DELIVERY;
  for (const { simple } of ratelimits) expect(simple).toEqual({ limit, period });
  expect(new Set(ratelimits.map(({ namespace_id }) => namespace_id)).size).toBe(ratelimits.length);
});
