/** `GET /api/v1/metrics`: its callers, its counts, and the counts that survive a restart. */
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { metricsObject } from "../../../src/edge/metrics/isolate.ts";
import { reportSweep } from "../../../src/edge/metrics/sweep.ts";
import { emptyBatch } from "../../../src/edge/metrics/tally.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { Client, call } from "../support/api.ts";
import { picture, request } from "../support/http.ts";
import { grown, scrape } from "../support/objects/metrics.ts";
import { bindings, makeMedia, makeSpace } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

describe("the figures (RULES 10.10)", () => {
  test("are Prometheus text, for the root token alone", async () => {
    const response = await request("/api/v1/metrics", {
      headers: { Authorization: `Bearer ${bindings.ROOT_TOKEN}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.text()).toMatch(/^# HELP silverprint_requests_total .+\n# TYPE .+ counter\n/);
    const client = await Client.make();
    const key = await client.key("admin");
    expect((await call("GET", "/api/v1/metrics", undefined, { key })).status).toBe(403);
    expect((await call("GET", "/api/v1/metrics", undefined, { key: null })).status).toBe(401);
  });

  test("count requests by route, status and state, the routes of image delivery among them", async () => {
    const space = await makeSpace();
    const media = await makeMedia(space);
    await request("/healthz");
    const before = await scrape();
    await request("/nowhere");
    await request("/nowhere");
    await picture(space.name, media.id);
    await picture(space.name, media.id, "w=100&fm=gif");
    await picture(space.name, media.id, "w=100&fm=webp");
    const growth = grown(before, await scrape());
    const route = "/api/v1/:spaceName/pictures/:mediaId";
    const name = (labels: string): string => `silverprint_requests_total{${labels}}`;
    expect(growth).toMatchObject({
      [name('route="none",status="404",transform="none"')]: 2,
      [name(`route="${route}",status="302",transform="none"`)]: 1,
      [name(`route="${route}",status="400",transform="none"`)]: 1,
    });
    const ofPictures = Object.entries(growth).filter(([line]) =>
      line.startsWith(name(`route="${route}",`).slice(0, -1)),
    );
    expect(ofPictures.reduce((sum, [, n]) => sum + n, 0)).toBe(3);
  });

  test("survive a restart of the object that adds them up", async () => {
    const metrics = metricsObject(bindings);
    const { sweptAt, batch } = await metrics.read();
    const before = batch.counters["build_retries_total"]?.['lane="light"'] ?? 0;
    const add = (n: number): Promise<void> =>
      metrics.add({
        batch: { ...emptyBatch(), counters: { build_retries_total: { 'lane="light"': n } } },
        queues: [{ spaceId: "one", lanes: { light: { waiting: 2, oldestAt: 1000 } } }],
        sweptAt: (sweptAt ?? 0) + 5,
      });
    const object = bindings.METRICS.get(bindings.METRICS.idFromName("metrics"));
    await add(2);
    await add(3);
    // The second report came too soon to be stored at once.
    expect(await runDurableObjectAlarm(object)).toBe(true);
    await evictDurableObject(object);
    const after = await metricsObject(bindings).read();
    expect(after.batch.counters["build_retries_total"]?.['lane="light"']).toBe(before + 5);
    expect(after.queues.get("one")).toEqual({ light: { waiting: 2, oldestAt: 1000 } });
    expect(after.sweptAt).toBe((sweptAt ?? 0) + 5);
    await metricsObject(bindings).add({
      batch: emptyBatch(),
      queues: [{ spaceId: "one", lanes: { light: { waiting: 0, oldestAt: null } } }],
    });
    expect((await metricsObject(bindings).read()).queues.size).toBe(0);
  });

  test("report the sweep: what it removed, and how long ago it ran", async () => {
    const client = await Client.make();
    await client.call("DELETE", "", { confirm: client.space.name });
    const before = await scrape();
    await reportSweep(bindings, await runSweep(Date.now()), Date.now());
    const after = await scrape();
    expect(grown(before, after)).toMatchObject({
      'silverprint_sweep_removed_total{step="removedSpaces"}': 1,
    });
    expect(after.get("silverprint_sweep_age_seconds")).toBeLessThan(60);
  });
});
