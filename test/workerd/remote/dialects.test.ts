/** The dialects of other image services over HTTP: each kind of address in each of them (RULES 13.7). */
import { beforeEach, describe, expect, it } from "vitest";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { request, ROOT } from "../support/http.ts";
import { ORIGIN } from "../support/remote/origin.ts";
import { useRemoteSite } from "../support/remote/site.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

const WIDTH_AT = [6, 32];
const HEIGHT_AT = [8, 34];

/** Returns a GIF that is 1600 pixels wide and 1200 high, by its header and its one frame. */
function photo(): Uint8Array<ArrayBuffer> {
  const file = gifOf(100);
  const view = new DataView(file.buffer);
  for (const at of WIDTH_AT) view.setUint16(at, 1600, true);
  for (const at of HEIGHT_AT) view.setUint16(at, 1200, true);
  return file;
}

interface Answer {
  status: number;
  location: string;
  state: string | null;
  vary: string | null;
  code: string | null;
}

async function ask(path: string, accept = "image/webp,*/*"): Promise<Answer> {
  const answer = await request(`/api/v1/${site.client.space.name}${path}`, { headers: { Accept: accept } });
  const text = await answer.text();
  const { error } = (text === "" ? {} : JSON.parse(text)) as { error?: { code: string } };
  return {
    status: answer.status,
    location: answer.headers.get("Location") ?? "",
    state: answer.headers.get("X-Service-Transform"),
    vary: answer.headers.get("Vary"),
    code: error?.code ?? null,
  };
}

/** Asks until a variant is the answer. @returns its file, without the mark of the encoder */
const fileOf = (path: string, accept?: string): Promise<string> =>
  eventually(async () => {
    moveClock(600);
    const { location } = await ask(path, accept);
    expect(location).toMatch(/^\/cdn\/v\//);
    return (location.split("/").at(-1) ?? "").replace(/-e\d+\./, ".");
  });

/** The same request in each dialect: 640 wide, as WebP where the dialect can say so, and of its quality 75. */
const DIALECTS = [
  ["next", (url: string) => `/next?url=${encodeURIComponent(url)}&w=640&q=75`],
  ["ipx", (url: string) => `/ipx/w_640,f_webp,q_75/${url.replace(/^\//, "")}`],
  ["cdn-cgi", (url: string) => `/cdn-cgi/image/width=640,quality=75,format=webp/${url.replace(/^\//, "")}`],
] as const;

describe.each(DIALECTS)("a picture in the dialect of %s", (name, pathOf) => {
  beforeEach(() => {
    site.origin.file("/img/a.gif", photo());
  });

  it("is its address until it was fetched, and then the variant, by a relative and a whole address", async () => {
    for (const url of ["/img/a.gif", `${ORIGIN}/img/a.gif`]) {
      expect(await fileOf(pathOf(url))).toBe("w750-q80.webp");
      expect(await ask(pathOf(url))).toMatchObject({
        status: 302,
        state: "hit",
        vary: name === "next" ? "Accept" : null,
      });
    }
    expect(await ask(pathOf("/img/new.gif"))).toMatchObject({
      status: 302,
      location: `${ORIGIN}/img/new.gif`,
      state: "queued",
    });
    expect(site.origin.countOf("/img/a.gif")).toBe(1);
  });

  it("is a media item of the space, although the space has no origins", async () => {
    await site.client.call("PATCH", "/settings", { origins: [] });
    const made = await request(`/api/v1/${site.client.space.name}/media`, {
      method: "POST",
      headers: { ...ROOT, "X-Filename": "a.gif" },
      body: photo(),
    });
    const { id } = (await made.json<{ data: { id: string } }>()).data;
    const own = `/api/v1/${site.client.space.name}/pictures/${id}`;
    for (const url of [own, `${own}/file`, `https://images.test${own}`, `https://images.test${own}/file`]) {
      expect(await fileOf(pathOf(url))).toBe("w750-q80.webp");
      expect((await ask(pathOf(url))).location).toContain(`/${id}/`);
    }
    expect(site.origin.requests).toHaveLength(0);
  });

  it.each(["https://", "https://exa mple/", "https://[x]/a.gif"])("%s is 400", async (url) => {
    expect(await ask(pathOf(url))).toMatchObject({ status: 400, code: "INVALID_PARAMETER" });
  });

  it("is 400 without an address", async () => {
    expect(await ask(pathOf(""))).toMatchObject({ status: 400, code: "INVALID_PARAMETER" });
  });

  it.each([
    "https://evil.example/a.gif",
    "http://img.example.com/a.gif",
    "//evil.example/a.gif",
    "https://images.test/healthz",
  ])("%s is 403", async (url) => {
    // At the end of a path, two slashes follow the one of the path.
    const path = pathOf(url.startsWith("//") && name !== "next" ? `/${url}` : url);
    expect(await ask(path)).toMatchObject({ status: 403, code: "ORIGIN_NOT_ALLOWED" });
    expect(site.origin.requests).toHaveLength(0);
  });

  it("is 403 for a relative address in a space without origins, and served once one is listed", async () => {
    await site.client.call("PATCH", "/settings", { origins: [] });
    expect(await ask(pathOf("/img/a.gif"))).toMatchObject({ status: 403, code: "ORIGIN_NOT_ALLOWED" });
    await site.client.call("PATCH", "/settings", { origins: [ORIGIN] });
    moveClock(60_000);
    expect(await ask(pathOf("/img/a.gif"))).toMatchObject({ status: 302, state: "queued" });
  });

  it("is 404 in a space that does not exist", async () => {
    const answer = await request(`/api/v1/nowhere${pathOf("/img/a.gif")}`);
    expect(answer.status).toBe(404);
    await answer.body?.cancel();
  });
});

describe("options of a dialect", () => {
  beforeEach(() => {
    site.origin.file("/a.gif", photo());
  });

  it.each([
    ["/next?url=%2Fa.gif&w=640&q=75", "image/avif,image/webp", "w750-q80.avif"],
    ["/ipx/f_webp,s_300x299/a.gif", "", "r1x1-f50-w500-q80.webp"],
    ["/ipx/f_webp&s_300x311/a.gif", "", "w500-q80.webp"],
    ["/ipx/format_webp,w_236,blur_5,rotate_90/https:/img.example.com/a.gif", "", "w236-q80.webp"],
    ["/ipx/f_webp,w_236/https%3A%2F%2Fimg.example.com%2Fa.gif", "", "w236-q80.webp"],
    ["/cdn-cgi/image/f=webp,w=150,h=150,fit=cover,g=0.47x0.51/a.gif", "", "r1x1-f45-w236-q80.webp"],
    ["/cdn-cgi/image/f=webp,w=150,h=190,fit=crop/a.gif", "", "w236-q80.webp"],
    ["/cdn-cgi/image/format=webp,width=110,dpr=2,onerror=redirect/a.gif", "", "w236-q80.webp"],
    ["/cdn-cgi/image/format=auto,width=200/a.gif", "image/avif", "w236-q80.avif"],
  ])("%s leads to the variant that they mean", async (path, accept, file) => {
    expect(await fileOf(path, accept)).toBe(file);
  });

  it("that mean nothing are the address itself, and nothing is fetched", async () => {
    for (const path of [
      "/ipx/_/a.gif",
      "/ipx//a.gif",
      "/ipx/w_x,q_/a.gif",
      "/cdn-cgi/image/w=%ZZ,h=-1/a.gif",
    ])
      expect(await ask(path)).toMatchObject({ status: 302, location: `${ORIGIN}/a.gif`, state: null });
    expect(site.origin.requests).toHaveLength(0);
  });

  it("stand before a relative address that belongs below the path of the first origin", async () => {
    await site.client.call("PATCH", "/settings", { origins: [`${ORIGIN}/shop/`] });
    expect(await ask("/ipx/w_200/b/a.gif")).toMatchObject({ location: `${ORIGIN}/shop/b/a.gif` });
    expect(await ask("/next?w=200&url=b%2Fa.gif")).toMatchObject({ location: `${ORIGIN}/shop/b/a.gif` });
    expect(await ask("/next?w=200&url=%2Fb%2Fa.gif")).toMatchObject({ status: 403 });
  });
});
