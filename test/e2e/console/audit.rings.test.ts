/** The audit in the console: its lines, filters and links, and the authors of a record (RULES 14.3, 14.6). */
import type { Browser } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { ACTIONS } from "../../../src/edge/storage/events/actions.ts";
import { bearer, newSpace, type Space } from "../../../scripts/harness/api.ts";
import { call } from "../../support/console/console-content.ts";
import { inBrowser, inspect, signIn, visit } from "../../support/console/console.ts";

const service = inject("service");

inBrowser("the audit in the console", (openBrowser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  const keyOf = (space: Space, name: string, role: string): Promise<{ id: string; key: string }> =>
    call(space, "POST", "/keys", { name, role });

  it("lists who changed what, filters it, and leads to the targets", async () => {
    const space = await newSpace(service);
    const fields = [{ name: "title", type: "string" }];
    await call(space, "POST", "/models", { typeModel: "collections", name: "posts", fields });
    const { key } = await keyOf(space, "Ada", "write");
    const write = { ...space, key };
    const post = await call<{ id: string }>(write, "POST", "/data/collections/posts", { title: "a" });
    await call(space, "PUT", `/data/collections/posts/${post.id}`, { title: "b" });
    for (let time = 0; time < 2; time++) await fetch(`${space.api}/keys`, { headers: bearer(key) });

    // The filter offers actors of the past, too.
    const gone = await keyOf(space, "Grace", "write");
    await call({ ...space, key: gone.key }, "POST", "/data/collections/posts", { title: "c" });
    await call(space, "DELETE", `/keys/${gone.id}`);

    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "audit");
    const lines = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
    const words = async (): Promise<string[]> =>
      (await lines.locator(".audit-action").allTextContents()).map((text) => text.replace(/(\d)/, " $1"));
    await lines.getByText("2 times").waitFor();
    expect((await words()).slice(0, 8)).toEqual([
      "Key removed",
      "Record created",
      "Key created",
      "Key refused 2 times",
      "Record updated",
      "Record created",
      "Key created",
      "Model created",
    ]);
    const targets = lines.locator(".audit-target");
    // The names of keys come with an answer of their own. A key that is gone has its id.
    await expect
      .poll(async () => (await targets.allTextContents()).slice(0, 8))
      .toEqual([
        gone.id,
        "posts / c",
        gone.id,
        `GET /api/v1/${space.name}/keys`,
        "posts / b",
        "posts / b",
        "Ada",
        "posts",
      ]);
    expect(await targets.nth(4).getByRole("link").getAttribute("title")).toBe(`posts / b (${post.id})`);
    expect(await inspect(page, "audit")).toEqual([]);

    await page.getByRole("button", { name: "Only this actor: Grace" }).click();
    await expect.poll(words).toEqual(["Record created"]);
    expect(await page.getByLabel("Who").locator("option:checked").textContent()).toBe("Grace");
    expect(await inspect(page, "audit-actor")).toEqual([]);
    const offered = await page.getByLabel("What").locator("option").allTextContents();
    expect(offered).toEqual(
      expect.arrayContaining([
        "Member changed",
        "Sign-in ended",
        "Webhook changed",
        "Picture restored",
        "Backup restored",
      ]),
    );
    expect(offered).toHaveLength(ACTIONS.length + 1);

    await page.getByLabel("Who").selectOption({ label: "Ada" });
    await expect.poll(words).toEqual(["Key refused 2 times", "Record created"]);
    await page.getByLabel("What").selectOption({ label: "Record created" });
    await expect.poll(words).toEqual(["Record created"]);
    await page.getByLabel("To", { exact: true }).fill("2020-01-01");
    await page.getByText("No lines").waitFor();
    expect(await inspect(page, "audit-empty")).toEqual([]);
    await page.getByLabel("To", { exact: true }).fill("");
    await page.getByLabel("What").selectOption({ label: "Everything" });
    await page.getByLabel("Who").selectOption({ label: "Everybody" });
    await page.getByRole("button", { name: "Only this: posts / b", exact: true }).first().click();
    await expect.poll(words).toEqual(["Record updated", "Record created"]);
    await page.getByRole("button", { name: "Only posts / b", exact: true }).click();
    await expect.poll(async () => (await words()).length).toBeGreaterThan(2);

    await lines.getByRole("link", { name: "posts / b", exact: true }).first().click();
    await expect.poll(() => new URL(page.url()).pathname).toContain(`/content/collections/posts/${post.id}`);
    const about = page.getByRole("complementary", { name: "About this record" });
    await about.getByText("by Ada").waitFor();
    expect(await about.locator(".record-author").count()).toBe(2);
    expect(await inspect(page, "record-authors")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("is not for a key that is no admin's", async () => {
    const space = await newSpace(service);
    const { key } = await keyOf(space, "Ada", "write");
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, key, "audit");
    await page.getByText("Not for this key").waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
