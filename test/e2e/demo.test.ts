/**
 * The state that `npm start` shows at first: where everything is, a small site's content, and a picture of each kind.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, json, type MediaObject } from "../../scripts/harness/api.ts";
import { newDataDir, removeDataDir, startService, type Service } from "../../scripts/harness/service.ts";

describe("the first start", () => {
  let service: Service;
  const dataDir = newDataDir();
  beforeAll(async () => {
    service = await startService({ dataDir, env: { DEMO: "1", LOG_SAMPLE: "0" } });
  });
  afterAll(async () => {
    await service.stop();
    removeDataDir(dataDir);
  });
  const read = async <T>(path: string): Promise<T> =>
    json(await fetch(`${service.base}/api/v1/demo${path}`, { headers: bearer(service.rootToken) }));
  /** Returns the output without npm's own lines. */
  const lines = (): string[] =>
    service
      .output()
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(">") && !line.startsWith("npm "));

  it("prints where everything is, and no line per request", async () => {
    await read("/media");
    expect(lines()).toEqual([
      `The service: ${service.base}`,
      `The console: ${service.base}/console/demo/media`,
      expect.stringMatching(/^A picture: \S+\/pictures\/\w{26}\?w=1000&auto=format$/),
      "The root token: in the environment",
      `Ready on ${service.base}`,
    ]);
    const [, address = ""] = /A picture: (\S+)/.exec(service.output()) ?? [];
    const picture = await fetch(address);
    expect(picture.headers.get("Content-Type")).toMatch(/^image\//);
    await picture.body?.cancel();
    expect(service.output()).not.toContain(service.rootToken);
  });

  it("keeps no traces of requests, which Miniflare would write to disk before it answers the next one", () => {
    const kinds = readdirSync(join(dataDir, "v3"));
    expect(kinds).toContain("r2");
    expect(kinds).not.toContain("observability");
  });

  it("has a picture of each kind with alt text, and content that refers to them", async () => {
    const media = await read<(MediaObject & { alt: string; animated: boolean })[]>("/media?limit=100");
    const kinds = media.map(({ mime, animated }) => `${mime}${animated ? ", animated" : ""}`);
    expect(new Set(kinds)).toEqual(
      new Set([
        ...["image/jpeg", "image/png", "image/webp", "image/avif", "image/svg+xml"],
        ...["image/gif, animated", "image/webp, animated"],
      ]),
    );
    expect(media.filter(({ alt }) => alt === "")).toEqual([]);
    const home = await read<{ hero: MediaObject; featured: object[] }>(
      "/data/pages/home/home?populate=hero,featured",
    );
    expect(home.hero.filename).toBe("hills-at-dusk.jpg");
    expect(home.featured).toHaveLength(2);
    expect(await read<object>("/models/collections/articles")).toMatchObject({ drafts: true });
    expect(await read<object[]>("/data/collections/articles?search=dunes")).toMatchObject([
      { title: "Counting dunes" },
    ]);
  });
});
