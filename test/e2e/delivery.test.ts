import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { bearer, json, newSpace, picture, upload, variantOf } from "../../scripts/harness/api.ts";
import { drawingPng, photoJpeg } from "../support/pictures/draw.ts";

const service = inject("service");
const space = await newSpace(service, { tenantId: `tenant-${randomUUID()}` });
const photo = await photoJpeg(1200, 900);
const { id, url } = await upload(space, photo);

describe("the image endpoint (RULES 5)", () => {
  it("redirects to the master when nothing is asked for (RULES 7.1)", async () => {
    expect(await picture(space, id, "")).toEqual({
      status: 302,
      location: url,
      width: 1200,
      state: null,
      cacheControl: "public, max-age=300",
      vary: null,
    });
  });

  it("redirects equivalent requests to one file", async () => {
    const first = await variantOf(space, id, "w=1200&fm=webp");
    for (const query of ["w=1600&fm=webp", "w=8192&q=80&fm=webp&utm=x", "fm=webp"]) {
      expect(await picture(space, id, query)).toMatchObject({
        location: first.location,
        state: "hit",
        width: 1200,
      });
    }
    const accept = "image/webp,*/*";
    const negotiated = await picture(space, id, "w=1200&auto=format", { accept });
    expect(negotiated).toMatchObject({
      location: first.location,
      vary: "Accept",
      cacheControl: "public, max-age=300",
    });
  });

  it("ignores q for a PNG", async () => {
    const drawing = await upload(space, await drawingPng(600, 300));
    const { location } = await variantOf(space, drawing.id, "w=500&q=95");
    expect(await picture(space, drawing.id, "w=500&q=80")).toMatchObject({ location, state: "hit" });
  });

  it("answers 400 for malformed parameters, and else 404 for an unknown picture (RULES 5.1)", async () => {
    expect((await picture(space, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "w=64")).status).toBe(404);
    expect((await picture({ ...space, api: `${service.base}/api/v1/nowhere` }, id, "w=64")).status).toBe(404);
    expect((await picture({ ...space, api: `${service.base}/api/v1/nowhere` }, id, "w=0")).status).toBe(400);
    const other = await newSpace(service);
    expect((await picture(other, id, "w=64")).status).toBe(404);
  });

  it("answers by the tenant id and by every earlier name (RULES 2.1)", async () => {
    const headers = { ...bearer(service.rootToken), "Content-Type": "application/json" };
    const { tenantId } = await json<{ tenantId: string }>(
      await fetch(space.api, { method: "PATCH", headers, body: JSON.stringify({ plan: {} }) }),
    );
    const name = `${space.name}-renamed`;
    await json(await fetch(space.api, { method: "PATCH", headers, body: JSON.stringify({ name }) }));
    for (const known of [space.name, tenantId, name]) {
      const at = { ...space, api: `${service.base}/api/v1/${known}` };
      expect((await picture(at, id, "")).status, known).toBe(302);
    }
    const taken = JSON.stringify({ name: space.name });
    expect(
      (await fetch(`${service.base}/api/v1/spaces`, { method: "POST", headers, body: taken })).status,
    ).toBe(409);
    const back = JSON.stringify({ name: space.name });
    await json(await fetch(`${service.base}/api/v1/${name}`, { method: "PATCH", headers, body: back }));
  });

  it("answers HEAD as GET, and OPTIONS for CORS", async () => {
    const target = `${space.api}/pictures/${id}`;
    const head = await fetch(target, { method: "HEAD", redirect: "manual" });
    expect(head.status).toBe(302);
    expect(new URL(head.headers.get("Location") ?? "", target).href).toBe(url);
    expect(head.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const headers = { Origin: "https://example.com", "Access-Control-Request-Method": "GET" };
    const options = await fetch(target, { method: "OPTIONS", headers });
    expect(options.status).toBe(204);
    expect(options.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it("coalesces 200 requests for one cold variant into one build", async () => {
    const cold = await upload(space, await photoJpeg(1500, 1000));
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => picture(space, cold.id, "w=750&fm=webp")),
    );
    const states = answers.map(({ status, state }) => `${status} ${state}`);
    expect(states.filter((s) => s === "302 queued" || s === "302 built")).toHaveLength(1);
    expect(states.filter((s) => s !== "302 queued" && s !== "302 built")).toSatisfy((rest: string[]) =>
      rest.every((s) => s === "302 coalesced" || s === "302 hit"),
    );
    await variantOf(space, cold.id, "w=750&fm=webp");
  });
});

describe("immutable files (RULES 7.6)", () => {
  it("have ETag, 304, ranges and CORS", async () => {
    const { location, bytes } = await variantOf(space, id, "w=500&fm=jpeg");
    const whole = await fetch(location);
    await whole.body?.cancel();
    const etag = whole.headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(whole.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(whole.headers.get("Accept-Ranges")).toBe("bytes");

    expect((await fetch(location, { headers: { "If-None-Match": etag } })).status).toBe(304);
    const part = await fetch(location, { headers: { Range: "bytes=10-19" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("Content-Range")).toBe(`bytes 10-19/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
    const tail = await fetch(location, { headers: { Range: "bytes=-5", "If-Range": etag } });
    expect(Buffer.from(await tail.arrayBuffer()).equals(bytes.subarray(-5))).toBe(true);
    const stale = await fetch(location, { headers: { Range: "bytes=-5", "If-Range": '"old"' } });
    expect(stale.status).toBe(200);
    await stale.body?.cancel();
    expect((await fetch(location, { headers: { Range: `bytes=${bytes.length}-` } })).status).toBe(416);
    const head = await fetch(location, { method: "HEAD" });
    expect(head.headers.get("Content-Length")).toBe(String(bytes.length));
  });

  it("that were never built, or have expired, lead back to their picture", async () => {
    const { location } = await variantOf(space, id, "w=500&fm=jpeg");
    const response = await fetch(location.replace("w500", "w64"), { redirect: "manual" });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(`/api/v1/${space.name}/pictures/${id}?w=64&q=80&fm=jpeg`);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect((await fetch(location.replace("w500-q80", "w500-q81"))).status).toBe(404);
    expect((await fetch(location.replace(id, "01ARZ3NDEKTSV4RRFFQ69G5FAV"))).status).toBe(404);
  });
});
