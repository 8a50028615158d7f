/** The preview beside the form of a record: a page of another origin that reads drafts (RULES 3.36). */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { newSpace, type Space } from "../../../scripts/harness/api.ts";
import { call } from "../../support/console/console-content.ts";
import { inBrowser, inspect, signIn, visit, type Visit } from "../../support/console/console.ts";

const service = inject("service");
const LIST = "/data/collections/posts";

/** Returns a page as a site has it: it reads the draft with the token, and reads it again when it is told. */
const pageOf = (space: Space): string => `<!doctype html><html lang="en"><title>Site</title>
<style>body{font:2rem Georgia;margin:2rem}</style><h1>…</h1><p id="told"></p><script>
  const asked = new URLSearchParams(location.search);
  const show = async () => {
    const answer = await fetch("${space.api}${LIST}/" + asked.get("id") + "?status=draft", {
      headers: { Authorization: "Bearer " + asked.get("token") },
    });
    const { data } = await answer.json();
    document.querySelector("h1").textContent = data.title;
  };
  addEventListener("message", ({ origin, data }) => {
    if (origin !== "${new URL(service.base).origin}" || data.type !== "silverprint:changed") return;
    document.querySelector("#told").textContent = JSON.stringify(data);
    show();
  });
  show();
</script></html>`;

inBrowser("the preview in the console", (openBrowser) => {
  let browser: Browser;
  let server: Server;
  let site: string;
  let space: Space;
  let id: string;
  /** The addresses of pages that the site was asked for. */
  let asked: URL[];
  beforeAll(async () => {
    browser = await openBrowser();
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", site);
      if (url.pathname.startsWith("/posts/")) asked.push(url);
      response.setHeader("Content-Type", "text/html; charset=utf-8").end(pageOf(space));
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    site = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    asked = [];
    space = await newSpace(service);
    await call(space, "POST", "/models", {
      ...{ typeModel: "collections", name: "posts", drafts: true },
      previewUrl: `${site}/posts/{slug}?id={id}&model={model}&locale={locale}&token={token}`,
      fields: [
        { name: "title", type: "string", required: true },
        { name: "slug", type: "string" },
        { name: "lead", type: "text" },
      ],
    });
    const made = { title: "On light", slug: "on light/1", lead: "It falls." };
    ({ id } = await call<{ id: string }>(space, "POST", LIST, made));
  });

  const enter = async (path: string, prepare?: (page: Page) => Promise<void>): Promise<Visit> => {
    const visited = await visit(browser, service.base);
    await prepare?.(visited.page);
    await signIn(visited.page, space.name, space.key, path);
    return visited;
  };
  /** Firefox notes each message that a frame does not get because it has another page, or none yet, at that time. */
  const NOT_DELIVERED = /^The target origin provided .* does not match the recipient window/;
  /** Returns the faults of a visit but for these notes, and the requests of the site itself, to itself. */
  const otherFaults = (faults: readonly string[]): string[] =>
    faults.filter((fault) => !fault.startsWith(`asked ${site}/`) && !NOT_DELIVERED.test(fault));
  const tokensOf = (): (string | null)[] => asked.map(({ searchParams }) => searchParams.get("token"));

  it("shows the draft, and the saved one after each save, in a frame that cannot leave its place", async () => {
    const { page, faults, close } = await enter(`content/collections/posts/${id}`);
    const button = page.getByRole("button", { name: "Preview" });
    await button.click();
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "On light" }).waitFor();
    const element = page.locator("iframe");
    expect(await element.getAttribute("sandbox")).toBe("allow-scripts allow-same-origin allow-forms");
    expect(asked.map(({ pathname }) => pathname)).toEqual(["/posts/on%20light%2F1"]);
    expect(asked[0]?.searchParams.get("model")).toBe("posts");
    expect(asked[0]?.searchParams.get("token")).not.toBe(space.key);
    // The key of the session is nowhere in the page of the frame.
    expect(asked[0]?.href).not.toContain(space.key);

    await page.getByLabel("title").fill("On shade");
    await page.getByRole("button", { name: "Save" }).click();
    await frame.getByRole("heading", { name: "On shade" }).waitFor();
    const told = JSON.parse(await frame.locator("#told").innerText()) as object;
    expect(told).toEqual({
      ...{ type: "silverprint:changed", space: space.name, typeModel: "collections", model: "posts" },
      ...{ id, locale: null, version: 2 },
    });
    // It is the same page, and nobody else sees the draft.
    expect(asked.length).toBe(1);
    expect(await call<object[]>(space, "GET", LIST)).toEqual([]);

    expect(await inspect(page, "record-preview")).toEqual([]);

    const inner = page.frames().find((one) => one.url().startsWith(site));
    const went = await inner?.evaluate(() => {
      try {
        if (top) top.location.href = "about:blank";
        return "went";
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(went).toBe("SecurityError");
    await frame.getByRole("heading", { name: "On shade" }).waitFor();

    // A page whose address holds the changed field is another one.
    await page.getByLabel("slug").fill("shade");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => asked.map(({ pathname }) => pathname)).toContain("/posts/shade");
    await frame.getByRole("heading", { name: "On shade" }).waitFor();
    await page.getByRole("button", { name: "Close the page" }).click();
    await element.waitFor({ state: "detached" });
    expect(new Set(tokensOf()).size).toBe(1);
    expect(otherFaults(faults)).toEqual([]);
    await close();
  });

  it("has a new token before the old one ends", async () => {
    const { page, close } = await enter(`content/collections/posts/${id}`, (one) => one.clock.install());
    await page.getByRole("button", { name: "Preview" }).click();
    await page.frameLocator("iframe").getByRole("heading", { name: "On light" }).waitFor();
    await page.clock.fastForward("46:00");
    await expect.poll(() => new Set(tokensOf()).size).toBe(2);
    await page.frameLocator("iframe").getByRole("heading", { name: "On light" }).waitFor();
    await close();
  });

  it("shows the language that the editor writes in", async () => {
    await call(space, "PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
    await call(space, "PUT", "/models/collections/posts", {
      fields: [
        { name: "title", type: "string", required: true, localized: true },
        { name: "slug", type: "string", localized: true },
        { name: "lead", type: "text" },
      ],
    });
    await call(space, "PUT", `${LIST}/${id}?locale=de`, { title: "Vom Licht", slug: "licht" });
    const { page, faults, close } = await enter(`content/collections/posts/${id}`);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.frameLocator("iframe").getByRole("heading", { name: "On light" }).waitFor();
    await page.getByRole("button", { name: /^German/ }).click();
    await expect.poll(() => asked.map(({ pathname }) => pathname)).toContain("/posts/licht");
    expect(asked.map(({ searchParams }) => searchParams.get("locale"))).toEqual(["en", "de"]);
    expect(otherFaults(faults)).toEqual([]);
    await close();
  });

  it("is not shown if its page is on the console's own address, from where it could leave its frame", async () => {
    const fields = [{ name: "title", type: "string", required: true }];
    const { port } = new URL(service.base);
    const previewUrl = `http://localhost:${port}/{title}?token={token}`;
    const drop = ["slug", "lead"];
    await call(space, "PUT", "/models/collections/posts", { fields, drop, previewUrl });
    const { page, close } = await visit(browser, `http://localhost:${port}`);
    await signIn(page, space.name, space.key, `content/collections/posts/${id}`);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("alert").getByText("on the console’s own address").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    await close();
  });

  it("is named in the form of the model, which says what is wrong with a template", async () => {
    const { page, faults, close } = await enter("models/collections/posts");
    const input = page.getByLabel("Preview page");
    await input.fill(`${site}/posts/{slgu}`);
    await page.getByRole("button", { name: "Save model" }).click();
    await page.getByText("names {slgu}; use {id}").waitFor();
    await input.fill(`${site}/posts/{id}`);
    await page.getByRole("button", { name: "Save model" }).click();
    const stored = async (): Promise<string> =>
      (await call<{ previewUrl: string }>(space, "GET", "/models/collections/posts")).previewUrl;
    await expect.poll(stored).toBe(`${site}/posts/{id}`);
    expect(faults).toEqual([]);
    await close();
  });
});
