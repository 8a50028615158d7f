import { beforeEach, describe, expect, it, vi } from "vitest";
import { cleanBetweenTests } from "../support/clean.ts";
import { requestWith } from "../support/http.ts";
import { JPEG_FACTS, makeMedia, makeSpace, newId, type Media, type Space } from "../support/rows.ts";

cleanBetweenTests();

let space: Space;
let media: Media;
beforeEach(async () => {
  space = await makeSpace();
  media = await makeMedia(space, { ...JPEG_FACTS, width: 1200, height: 900 });
});

const path = (query = "", file = ""): string =>
  `/api/v1/${space.name}/pictures/${media.id}${file}${query && `?${query}`}`;

/** Both ways to the same answer: in place, and through the entrypoint `Cached` of this very Worker. */
const WAYS = ["off", "on"];
const ask = (way: string, address: string, init: RequestInit = {}): Promise<Response> =>
  requestWith({ EDGE_CACHE: way }, address, init);

/** Returns an answer, but for the parts that differ from request to request. */
async function said(response: Response): Promise<unknown> {
  const headers = [...response.headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  const text = new TextDecoder().decode(await response.arrayBuffer());
  return { status: response.status, headers: headers.sort(), text: text.replace(/"requestId":"[^"]*"/, "") };
}

describe("the answer through the entrypoint Cached", () => {
  it("is the same as without it", async () => {
    const requests: [address: string, init?: RequestInit][] = [
      [path()],
      [path("w=64")],
      [path("w=100&fm=webp")],
      [path("auto=format&w=64"), { headers: { Accept: "image/webp,*/*" } }],
      [path("w=64"), { method: "HEAD" }],
      [path("", "/file")],
      [path("v=1", "/file"), { headers: { Range: "bytes=1-2" } }],
      [path("v=1", "/file"), { headers: { "If-None-Match": `"${media.masterKey}"` } }],
      [path("v=1", "/file"), { method: "HEAD" }],
      [`/cdn/${media.masterKey}`],
      [`/cdn/v/${space.id}/${media.id}/1/w500-q80-e3.webp`],
      [path("w=0")],
      [path("w=0"), { method: "HEAD" }],
      [`/api/v1/${space.name}/pictures/${newId()}`],
      [`/cdn/m/${space.id}/${newId()}/1/master.jpg`],
    ];
    // Builds once before, so that the variant is a hit for both.
    for (const [address, init] of requests) await (await ask("off", address, init)).body?.cancel();
    const failed = vi.spyOn(console, "error");
    for (const [address, init] of requests) {
      const answers = [];
      for (const way of WAYS) answers.push(await said(await ask(way, address, init)));
      expect(answers[1], `${init?.method ?? "GET"} ${address}`).toEqual(answers[0]);
    }
    // Else the answer was made in place both times.
    expect(failed.mock.calls.filter(([line]) => String(line).includes("edge-cache-failed"))).toEqual([]);
  });

  it("has none of the headers that the entrypoints exchange", async () => {
    for (const way of WAYS) {
      for (const address of [path("w=64"), path("", "/file"), `/cdn/${media.masterKey}`]) {
        const response = await ask(way, address);
        await response.body?.cancel();
        const names = [...response.headers.keys()];
        expect(names.filter((name) => /silverprint|cdn-cache|cache-tag|^age$/.test(name))).toEqual([]);
        expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
      }
    }
  });

  it("names no host, whatever Host the caller sends", async () => {
    const headers = { Host: "evil.test", "X-Forwarded-Host": "evil.test" };
    const location = (await ask("on", path("w=64"), { headers })).headers.get("Location");
    expect(location).toMatch(/^\/cdn\/v\//);
  });
});

describe("what cannot be answered", () => {
  it("is refused before D1 and the entrypoint Cached are asked", async () => {
    for (const [address, status] of [
      [path("w=0"), 400],
      [`/api/v1/${space.name}/pictures/logo.png`, 404],
      [`/cdn/v/${space.id}/x/1/w64-q80-e3.jpg`, 404],
    ] as const) {
      const response = await requestWith({ EDGE_CACHE: "on", DB: {} }, address);
      expect(response.status).toBe(status);
      const { error } = await response.json<{ error: { requestId: string } }>();
      expect(error.requestId).toBe(response.headers.get("X-Request-Id"));
    }
  });
});
