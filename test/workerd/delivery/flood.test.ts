/** The flood ceiling (RULES 7.5): requests per minute of one client, to redirects, files and direct delivery apart. */
import { beforeEach, describe, expect, it } from "vitest";
import { cleanBetweenTests } from "../support/clean.ts";
import { requestWith } from "../support/http.ts";
import { JPEG_FACTS, makeMedia, makeSpace, type Media, type Space } from "../support/rows.ts";
import { DELIVERY } from "../../../src/limits.ts";

cleanBetweenTests();

let space: Space;
let media: Media;
beforeEach(async () => {
  space = await makeSpace();
  media = await makeMedia(space, { ...JPEG_FACTS, width: 1200, height: 900 });
});

const pictures = (): string => `/api/v1/${space.name}/pictures/${media.id}`;

describe("the flood ceiling", () => {
  const limiter = (answer: () => Promise<{ success: boolean }>) => ({ limit: answer });
  const full = limiter(() => Promise.resolve({ success: false }));
  const broken = limiter(() => Promise.reject(new Error("the limiter is down")));

  /** Counts requests by client as the platform does, within one minute that does not end. */
  function minute(counts: Map<string, number>): {
    limit: (of: { key: string }) => Promise<{ success: boolean }>;
  } {
    return {
      limit({ key }) {
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        return Promise.resolve({ success: count <= DELIVERY.floodRequestsPerMinute });
      },
    };
  }

  // That the bindings of wrangler.toml count to the same number is a unit test: 6000 requests take longer than a minute.
  it("refuses more than 6000 requests per minute of one client, and no other client", async () => {
    const counts = new Map([["198.51.100.77", DELIVERY.floodRequestsPerMinute - 1]]);
    const of = (client: string) =>
      requestWith({ IMAGE_FLOOD: minute(counts) }, pictures(), { headers: { "CF-Connecting-IP": client } });
    expect((await of("198.51.100.77")).status).toBe(302);
    const refused = await of("198.51.100.77");
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await refused.json()).toMatchObject({ error: { code: "IMAGE_DELIVERY_RATE_LIMITED" } });
    expect((await of("198.51.100.78")).status).toBe(302);
  });

  it("lets requests through when it fails", async () => {
    const overrides = { IMAGE_FLOOD: broken, FILE_FLOOD: broken, DIRECT_FLOOD: broken };
    expect((await requestWith(overrides, pictures())).status).toBe(302);
    const file = await requestWith(overrides, `/cdn/${media.masterKey}`);
    expect([file.status, await file.text()]).toEqual([200, "master"]);
  });

  it("has separate counters for redirects, /cdn and direct delivery", async () => {
    const paths = {
      IMAGE_FLOOD: pictures(),
      FILE_FLOOD: `/cdn/${media.masterKey}`,
      DIRECT_FLOOD: `${pictures()}/file`,
    };
    for (const counter of Object.keys(paths)) {
      for (const [own, path] of Object.entries(paths)) {
        const response = await requestWith({ [counter]: full }, path);
        await response.body?.cancel();
        expect(response.status === 429, `${counter} at ${path}`).toBe(own === counter);
      }
    }
  });
});
