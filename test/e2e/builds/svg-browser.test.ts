/**
 * Stored drawings in a real browser: opened directly, in `img`, in `object` and inline, no script runs and no request
 * leaves. Needs Chromium: CHROMIUM names it, or one is found in PATH; without one these tests are skipped.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { newSpace, upload } from "../../../scripts/harness/api.ts";
import { Browser, chromium } from "../../support/chromium.ts";
import { payloads } from "../../../scripts/samples/svg/payloads.ts";
import { drawing, svg } from "../../../scripts/samples/svg/svg.ts";

/** Pages of a site of its own, which hears everything that a page asks for. */
class Listener {
  readonly requests: string[] = [];
  readonly pages = new Map<string, { type: string; body: string }>();
  #server: Server | null = null;
  origin = "";

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      const url = request.url ?? "";
      const page = this.pages.get(url);
      if (!page) this.requests.push(url);
      response.writeHead(page ? 200 : 204, { "Content-Type": page?.type ?? "text/plain" });
      response.end(page?.body);
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.close();
  }
}

describe.skipIf(chromium === null)("in a browser, a stored drawing", () => {
  const listener = new Listener();
  const browser = new Browser();
  /** Returns every payload at once, and a few that need the drawing to themselves. */
  const attacks = (): Record<string, string> => {
    const beacon = (text: string): string =>
      text
        .replaceAll("http://evil.example", listener.origin)
        .replaceAll("//evil.example", listener.origin.replace("http:", ""))
        .replaceAll("alert(1)", "document.title=`RAN`;new Image().src=`" + listener.origin + "/ran`");
    const bodies = Object.values(payloads).map(beacon);
    return {
      all: svg(bodies.join("\n"), beacon('onload="alert(1)"')),
      first: svg(bodies.slice(0, bodies.length / 2).join("\n")),
      second: svg(bodies.slice(bodies.length / 2).join("\n")),
      harmless: drawing("figma.svg").toString(),
    };
  };

  beforeAll(() => listener.start());
  afterAll(async () => {
    listener.stop();
    await browser.close();
  });

  it("is detected by the test if it is not sanitized", async () => {
    const raw = (path: string): string => svg(`<script>new Image().src='${listener.origin}${path}'</script>`);
    listener.pages.set("/raw", {
      type: "text/html",
      body: `<!doctype html><title>still</title>${raw("/inline")}`,
    });
    listener.pages.set("/raw.svg", { type: "image/svg+xml", body: raw("/direct") });
    await browser.dump(`${listener.origin}/raw`);
    await browser.dump(`${listener.origin}/raw.svg`);
    expect(listener.requests).toEqual(expect.arrayContaining(["/inline", "/direct"]));
  });

  it("runs nothing and asks for nothing, in all four ways to show it", async () => {
    const space = await newSpace(inject("service"));
    for (const [name, file] of Object.entries(attacks())) {
      const { url } = await upload(space, Buffer.from(file), `${name}.svg`);
      const stored = await (await fetch(url)).text();
      // Without the policy of the CDN, which would hide what the sanitizer let through.
      listener.pages.set(`/${name}.svg`, { type: "image/svg+xml", body: stored });
      const shown: Record<string, string> = {
        img: `<img src="/${name}.svg">`,
        object: `<object data="/${name}.svg" type="image/svg+xml"></object>`,
        inline: stored,
        "from the CDN": `<img src="${url}"><object data="${url}"></object><iframe src="${url}"></iframe>`,
      };
      listener.requests.length = 0;
      for (const [way, html] of Object.entries(shown)) {
        const body = `<!doctype html><title>still</title><link rel="icon" href="data:,">${html}`;
        listener.pages.set("/page", { type: "text/html; charset=utf-8", body });
        const dom = await browser.dump(`${listener.origin}/page`);
        expect(dom, `${name} as ${way}`).toContain("<title>still</title>");
        expect(dom, `${name} as ${way}`).not.toMatch(/<script|<[a-z][^>]*\son[a-z]+=/i);
      }
      const direct = await browser.dump(`${listener.origin}/${name}.svg`);
      expect(direct).toContain("<svg");
      expect((await browser.dump(url)).length).toBeGreaterThan(0);
      expect(
        listener.requests.filter((path) => path !== "/favicon.ico"),
        name,
      ).toEqual([]);
    }
  });

  it("shows its embedded images in img, where the page's policy applies", async () => {
    const space = await newSpace(inject("service"));
    const { url } = await upload(space, drawing("figma.svg"), "figma.svg");
    const size = { width: 160, height: 120 };
    const shown = await browser.screenshot(`<img src="${url}" style="display:block">`, size);
    const at = (20 + 10) * 160 + (100 + 10);
    const [red = 0, green = 255] = shown.data.subarray(at * 3, at * 3 + 3);
    expect(red).toBeGreaterThan(200);
    expect(green).toBeLessThan(60);
  });
});
