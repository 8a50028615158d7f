import { beforeEach, describe, expect, it, vi } from "vitest";
import { cleanBetweenTests } from "../support/clean.ts";
import { picture, request, requestWith, ROOT } from "../support/http.ts";
import {
  bindings,
  JPEG_FACTS,
  makeMedia,
  makeSpace,
  newId,
  type Media,
  type Space,
} from "../support/rows.ts";
import { ENCODER_VERSION, QUICK_ENCODER_VERSION } from "../../../src/image/model/variant.ts";

cleanBetweenTests();

let space: Space;
let media: Media;
beforeEach(async () => {
  space = await makeSpace();
  media = await makeMedia(space, { ...JPEG_FACTS, width: 1200, height: 900 });
});

const pictures = (): string => `/api/v1/${space.name}/pictures/${media.id}`;
const mediaPath = (): string => `/api/v1/${space.name}/media/${media.id}`;

describe("a redirect", () => {
  it("names no host, whatever Host the caller sends (RULES 1.7)", async () => {
    const init = { headers: { Host: "evil.test", "X-Forwarded-Host": "evil.test" } };
    for (const query of ["", "?w=64"]) {
      const location = (await request(pictures() + query, init)).headers.get("Location");
      expect(location).toMatch(/^\/cdn\/[mv]\//);
    }
  });

  it("leads to CDN_BASE_URL if it is set", async () => {
    const response = await requestWith({ CDN_BASE_URL: "https://cdn.test/" }, pictures());
    expect(response.headers.get("Location")).toBe(`https://cdn.test/${media.masterKey}`);
  });
});

describe("absolute addresses in JSON (RULES 1.7)", () => {
  const addresses = async (overrides: object): Promise<string[]> => {
    const response = await requestWith({ ...overrides }, mediaPath(), { headers: ROOT });
    const { data } = await response.json<{
      data: { url: string; directUrl: string; formats: { large: { url: string; directUrl: string } } };
    }>();
    const { url, directUrl, formats } = data;
    return [url, directUrl, formats.large.url, formats.large.directUrl];
  };

  it("begin with the origin of the request", async () => {
    expect(await addresses({ PUBLIC_BASE_URL: "" })).toEqual([
      `https://images.test/cdn/${media.masterKey}`,
      `https://images.test${pictures()}/file?v=1`,
      `https://images.test${pictures()}?w=1000&q=80`,
      `https://images.test${pictures()}/file?w=1000&q=80&auto=format&v=1`,
    ]);
  });

  it("begin with PUBLIC_BASE_URL if it is set, and those of files with CDN_BASE_URL", async () => {
    const overrides = { PUBLIC_BASE_URL: "https://www.test/", CDN_BASE_URL: "https://cdn.test" };
    const [url, ...others] = await addresses(overrides);
    expect(url).toBe(`https://cdn.test/${media.masterKey}`);
    for (const other of others) expect(other).toMatch(/^https:\/\/www\.test\/api\//);
  });
});

describe("the Location of a 201 (RULES 1.7)", () => {
  const model = { typeModel: "collections", name: "notes", fields: [{ name: "text", type: "string" }] };

  it.each([
    ["PUBLIC_BASE_URL", "https://www.test/", "https://www.test"],
    ["the origin of the request without it", "", "https://images.test"],
  ])("begins with %s", async (_, PUBLIC_BASE_URL, base) => {
    const api = `/api/v1/${space.name}`;
    const made = async (path: string, body: object): Promise<string | null> => {
      const headers = { ...ROOT, "Content-Type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const response = await requestWith({ PUBLIC_BASE_URL }, api + path, init);
      expect(response.status).toBe(201);
      await response.body?.cancel();
      return response.headers.get("Location");
    };
    expect(await made("/models", model)).toBe(`${base}${api}/models/collections/notes`);
    const startsWith = (path: string): unknown => expect.stringContaining(`${base}${api}${path}/`);
    expect(await made("/data/collections/notes", {})).toEqual(startsWith("/data/collections/notes"));
    const upload = { filename: "a.jpg", sizeBytes: 5 };
    expect(await made("/media/uploads", upload)).toEqual(startsWith("/media/uploads"));
  });
});

describe("what cannot exist is 404 without a query", () => {
  /** A database that fails at every use. */
  const broken = new Proxy(bindings.DB, {
    get() {
      throw new Error("D1 was asked");
    },
  });

  it.each([
    ["an id that is no ULID", () => `/api/v1/${space.name}/pictures/logo.png`],
    ["a name that no space can have", () => `/api/v1/Not-A-Name/pictures/${media.id}`],
    ["a space id that is no ULID", () => `/cdn/m/site/${media.id}/1/master.jpg`],
    ["a media id that is no ULID", () => `/cdn/v/${space.id}/x/1/w64-q80-e1.jpg`],
    ["a version that is no integer", () => `/cdn/m/${space.id}/${media.id}/1.5/master.jpg`],
    ["a version with a leading zero", () => `/cdn/v/${space.id}/${media.id}/01/w64-q80-e1.jpg`],
    ["a file name that no master has", () => `/cdn/m/${space.id}/${media.id}/1/master.exe`],
    ["a file name that no variant has", () => `/cdn/v/${space.id}/${media.id}/1/w64-q81-e1.jpg`],
    ["a PNG variant with a quality", () => `/cdn/v/${space.id}/${media.id}/1/w64-q80-e1.png`],
  ])("%s", async (_, path) => {
    expect((await requestWith({ DB: broken }, path())).status).toBe(404);
  });
});

describe("an expired variant's address", () => {
  const expired = async (item: Media, file: string): Promise<string> => {
    const response = await request(`/cdn/v/${space.id}/${item.id}/1/${file}`);
    expect(response.status).toBe(302);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    return response.headers.get("Location") ?? "";
  };

  it("of more than 8192 pixels asks for the master's own width, which w cannot name", async () => {
    const wide = await makeMedia(space, { ...JPEG_FACTS, width: 9000, height: 100 });
    const location = await expired(wide, `w9000-q80-e${ENCODER_VERSION}.webp`);
    expect(location).toBe(`/api/v1/${space.name}/pictures/${wide.id}?q=80&fm=webp`);
    const built = await picture(space.name, wide.id, location.split("?")[1]);
    expect(built).toMatchObject({
      status: 302,
      // The first visitor waits, so the file is encoded quickly.
      path: `/cdn/v/${space.id}/${wide.id}/1/w9000-q80-e${QUICK_ENCODER_VERSION}.webp`,
    });
  });

  it("never leads to the master by rule, although a GIF has neither quality nor format", async () => {
    expect(await expired(media, "w9000-e1.gif")).toMatch(/\?q=80$/);
    expect(await expired(media, "w500-e1.gif")).toMatch(/\?w=500$/);
  });
});

describe("HEAD with Range", () => {
  it("answers the whole file, because Range is defined for GET alone (RFC 9110 section 14.2)", async () => {
    const path = `/cdn/${media.masterKey}`;
    const get = await request(path);
    for (const range of ["bytes=1-3", "bytes=-2", "bytes=100-", "bytes=3-1"]) {
      const head = await request(path, { method: "HEAD", headers: { Range: range } });
      expect(head.status, range).toBe(200);
      for (const name of ["Content-Range", "Content-Length", "ETag", "Cache-Control", "Accept-Ranges"])
        expect(head.headers.get(name), `${range} ${name}`).toBe(get.headers.get(name));
      expect(await head.text()).toBe("");
    }
    await get.body?.cancel();
  });

  it("lets scripts of other origins read which range they got", async () => {
    const response = await request(`/cdn/${media.masterKey}`, { headers: { Range: "bytes=0-1" } });
    expect(response.headers.get("Access-Control-Expose-Headers")).toContain("Content-Range");
    expect(await response.text()).toBe("ma");
  });
});

describe("names", () => {
  it.each(["spaces", "metrics"])("%s is reserved", async (name) => {
    const init = { method: "POST", headers: { ...ROOT, "Content-Type": "application/json" } };
    for (const body of [{ name }, { name: "free", tenantId: name }]) {
      const response = await request("/api/v1/spaces", { ...init, body: JSON.stringify(body) });
      expect(response.status).toBe(400);
      await response.body?.cancel();
    }
  });
});

describe("/healthz", () => {
  it("keeps its answer for a second, however often it is requested", async () => {
    let asked = 0;
    const bucket = new Proxy(bindings.BUCKET, {
      get(target, property) {
        if (property === "head") asked += 1;
        const value = Reflect.get(target, property, target) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const at = Date.now() + 60_000;
    vi.useFakeTimers({ toFake: ["Date"], now: at });
    for (let n = 0; n < 5; n++) expect((await requestWith({ BUCKET: bucket }, "/healthz")).status).toBe(200);
    expect(asked).toBe(1);
    vi.setSystemTime(at + 999);
    await requestWith({ BUCKET: bucket }, "/healthz");
    expect(asked).toBe(1);
    vi.setSystemTime(at + 1000);
    await requestWith({ BUCKET: bucket }, "/healthz");
    expect(asked).toBe(2);
    // A clock that is set back does not keep an answer for an hour.
    vi.setSystemTime(at - 3_600_000);
    await requestWith({ BUCKET: bucket }, "/healthz");
    expect(asked).toBe(3);
  });
});

it("a picture that is restored from the trash is there at once, though it was 404 a moment ago", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  expect((await request(mediaPath(), { method: "DELETE", headers: ROOT })).status).toBe(200);
  expect((await request(pictures())).status).toBe(404);
  const restore = `/api/v1/${space.name}/trash/${media.id}/restore`;
  expect((await request(restore, { method: "POST", headers: ROOT })).status).toBe(200);
  expect((await request(pictures())).status).toBe(302);
});

it("an unknown id causes one query in three seconds", async () => {
  let queries = 0;
  const counting = new Proxy(bindings.DB, {
    get(target, property) {
      if (property === "withSession") return () => target;
      if (property === "prepare") queries += 1;
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  const counted = new Proxy(counting, {
    get: (target, property) =>
      property === "withSession" ? () => counting : (Reflect.get(target, property) as unknown),
  });
  const at = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  const path = `/api/v1/${space.name}/pictures/${newId()}`;
  for (let n = 0; n < 5; n++) expect((await requestWith({ DB: counted }, path)).status).toBe(404);
  const once = queries;
  expect(once).toBeGreaterThan(0);
  expect(once).toBeLessThanOrEqual(2);
  vi.setSystemTime(at + 3000);
  await requestWith({ DB: counted }, path);
  expect(queries).toBe(2 * once);
});
