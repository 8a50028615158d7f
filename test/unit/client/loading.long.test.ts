/** The files that Chromium loads for the attributes of `silverprint/html`: of lazy pictures, and of the first one. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium as driver, type Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { drivenChromiumFlags } from "../../../scripts/harness/browsers.ts";
import { imgAttributes, preloadLinks } from "../../../src/client/html.ts";
import { chromium } from "../../support/chromium.ts";
import { photo } from "../../support/pictures/client-pictures.ts";

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const tag = (name: string, attributes: object): string =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escaped(String(value))}"`)
    .join(" ")}>`;

describe.skipIf(chromium === null)("in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let page = "";
  let asked: URL[] = [];

  beforeAll(async () => {
    const pixels = await sharp({ create: { width: 8, height: 6, channels: 3, background: "#36c" } })
      .png()
      .toBuffer();
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://localhost");
      if (url.pathname === "/") {
        response.writeHead(200, { "Content-Type": "text/html" }).end(page);
        return;
      }
      if (url.pathname.startsWith("/api/")) asked.push(url);
      response.writeHead(200, { "Content-Type": "image/png", "Cache-Control": "max-age=60" }).end(pixels);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await driver.launch({
      executablePath: chromium ?? "",
      args: drivenChromiumFlags,
    });
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });
  beforeEach(() => void (asked = []));

  const media = photo({
    directUrl: "/api/v1/s/pictures/1/file?v=3",
    width: 4000,
    height: 3000,
    placeholder: null,
  });

  /** Loads a page 1200 pixels wide, and returns the widths of the files that it asked for. */
  async function widthsOf(body: string, head = ""): Promise<(string | null)[]> {
    page = `<!doctype html><meta charset="utf-8">${head}<style>img{max-width:100%;height:auto}</style>${body}`;
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
    const tab = await context.newPage();
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: "load" });
    await tab.waitForTimeout(300);
    await context.close();
    return asked.map((url) => url.searchParams.get("w"));
  }

  it("a lazy picture has the file of the width that the page gives it", async () => {
    const narrow = (options: object) =>
      `<div style="width:300px">${tag("img", imgAttributes(media, options))}</div>`;
    expect(await widthsOf(narrow({}))).toEqual(["1600"]);
    asked = [];
    expect(await widthsOf(narrow({ loading: "lazy" }))).toEqual(["500"]);
  });

  it("the first picture is loaded once, by its link", async () => {
    const options = { ratio: "16:9", width: 800 } as const;
    const head = preloadLinks(media, options)
      .map((link) => tag("link", link))
      .join("");
    const image = tag("img", imgAttributes(media, { ...options, priority: true }));
    const widths = await widthsOf(image, head);
    expect(widths).toEqual(["1000"]);
    expect(await widthsOf("", head).then((all) => all.slice(1))).toEqual(["1000"]);
  });
});
