/** The files of the console: how they are served, and the contents of its page. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, inject, it } from "vitest";

const service = inject("service");
const INITIAL_MAX_BYTES = 150 * 1024;

describe("the console's files (RULES 11.1)", () => {
  it("answer the page at every path below /console, with a policy that allows no other scripts", async () => {
    for (const path of ["/console", "/console/", "/console/demo/media/01ARZ3NDEKTSV4RRFFQ69G5FAV"]) {
      const response = await fetch(service.base + path);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toContain("text/html");
      expect(response.headers.get("Cache-Control")).toBe("no-cache");
      const policy = response.headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      // Previews alone come from elsewhere, in frames.
      const frames = "frame-src https: http://localhost:*; ";
      expect(policy).toContain(frames);
      expect(policy.replace(frames, "")).not.toMatch(/unsafe|https?:|\*/);
      expect(await response.text()).toContain('<div id="app">');
    }
  });

  it("answers files that are named by their content as immutable, and 404 for what is not there", async () => {
    const page = await (await fetch(`${service.base}/console`)).text();
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    const found = await fetch(service.base + String(script));
    expect(found.status).toBe(200);
    expect(found.headers.get("Content-Type")).toContain("javascript");
    expect(found.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    await found.body?.cancel();
    for (const path of ["/console/assets/none.js", "/console/none.svg"]) {
      const missing = await fetch(service.base + path);
      expect(missing.status).toBe(404);
      expect(await missing.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
    }
  });

  it("needs at most 150 KB of JavaScript, as it is sent, until it can be used", async () => {
    const page = await (await fetch(`${service.base}/console`)).text();
    const scripts = [...page.matchAll(/(?:src|href)="(\/console\/[^"]+\.js)"/g)].map(([, path]) =>
      String(path),
    );
    expect(scripts.length).toBeGreaterThan(1);
    const sizes = scripts.map(async (path) => {
      const bytes = await (await fetch(service.base + path)).arrayBuffer();
      return gzipSync(new Uint8Array(bytes)).length;
    });
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThan(INITIAL_MAX_BYTES);
  });

  it("answers 304 to a browser that has the page, with the page's policy", async () => {
    const first = await fetch(`${service.base}/console`);
    await first.body?.cancel();
    const etag = first.headers.get("ETag") ?? "";
    for (const condition of [etag, `W/${etag}`]) {
      const again = await fetch(`${service.base}/console`, { headers: { "If-None-Match": condition } });
      expect(again.status).toBe(304);
      const policy = "Content-Security-Policy";
      expect(again.headers.get(policy)).toBe(first.headers.get(policy));
    }
    const other = await fetch(`${service.base}/console`, { headers: { "If-None-Match": '"another"' } });
    expect(other.status).toBe(200);
    await other.body?.cancel();
  });

  it("holds the styles of the first paint in the page, which allows them by their hashes", async () => {
    const answer = await fetch(`${service.base}/console`);
    const html = await answer.text();
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    const inline = [...html.matchAll(/<(script|style)>([^]*?)<\/\1>/g)];
    expect(inline.map(([, element]) => element)).toEqual(["script", "style"]);
    for (const [, element, text = ""] of inline) {
      const hash = createHash("sha256").update(text).digest("base64");
      expect(policy).toContain(`${element}-src 'self' 'sha256-${hash}';`);
    }
    expect([...html.matchAll(/<link rel="stylesheet"(?![^>]* disabled>)/g)]).toEqual([]);
  });

  it("leaves every other path to the API, a browser's navigation to a picture included", async () => {
    const headers = { Accept: "text/html,application/xhtml+xml", "Sec-Fetch-Mode": "navigate" };
    for (const path of [
      "/",
      "/index.html",
      "/consoles",
      "/api/v1/demo/pictures/01ARZ3NDEKTSV4RRFFQ69G5FAV",
    ]) {
      const response = await fetch(service.base + path, { headers });
      expect(response.status).toBe(404);
      expect(response.headers.get("Content-Type")).toContain("application/json");
      await response.body?.cancel();
    }
  });

  it("allows only reads", async () => {
    const response = await fetch(`${service.base}/console`, { method: "POST" });
    expect(response.status).toBe(405);
    await response.body?.cancel();
  });
});
