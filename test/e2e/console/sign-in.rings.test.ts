/** Signing in at the console by a real OpenID provider (RULES 2.6, 2.7, 11.2). */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newSpace, type Space } from "../../../scripts/harness/api.ts";
import { newDataDir, removeDataDir, startService, type Service } from "../../../scripts/harness/service.ts";
import { freePort } from "../../../scripts/start/ports.ts";
import { call } from "../../support/console/console-content.ts";
import { inBrowser, inspect, signIn, visit } from "../../support/console/console.ts";
import { CLIENT, RealProvider } from "../../support/sign-in/real-provider.ts";

const NAME = "Test Login";
const dataDir = newDataDir();
let service: Service;
let provider: RealProvider;
let space: Space;

beforeAll(async () => {
  const [port, providerPort] = [await freePort(), await freePort()];
  const callback = `http://localhost:${String(port)}/console/callback`;
  provider = await RealProvider.start(providerPort, callback);
  service = await startService({
    dataDir,
    port,
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: NAME,
      ROOT_MEMBERS: "operator@example.com",
    },
  });
  space = await newSpace(service);
  const fields = [{ name: "title", type: "string" }];
  await call(space, "POST", "/models", { typeModel: "collections", name: "articles", fields });
  await call(space, "POST", "/models", { typeModel: "pages", name: "home", fields });
  await call(space, "PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
  removeDataDir(dataDir);
});

const invite = (email: string, role = "write", scopes?: object): Promise<unknown> =>
  call(space, "POST", "/members", { email, role, scopes });

/** Goes to the provider's page. */
async function leave(page: Page): Promise<void> {
  await page.goto("/console");
  await page.getByLabel("Space").fill(space.name);
  await page.getByRole("button", { name: `Sign in with ${NAME}` }).click();
  await page.waitForURL(`${provider.issuer}/**`);
}

/** Signs in at the provider, and agrees to what the console asks for. */
async function logIn(page: Page, login: string): Promise<void> {
  await leave(page);
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}

inBrowser("signing in by a provider", (openBrowser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("signs a member in, shows who it is, and signs out at the service", async () => {
    const login = `ada${String(Date.now())}`;
    await invite(`${login}@example.com`, "write", { media: "read" });
    const { page, faults, close } = await visit(browser, service.base);
    await page.goto("/console");
    await page.getByRole("button", { name: `Sign in with ${NAME}` }).waitFor();
    expect(await inspect(page, "sign-in-with-provider")).toEqual([]);
    await logIn(page, login);
    await page.getByText(`${login}@example.com`).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/${space.name}/media`);
    expect(page.url()).not.toContain("code=");
    const token = await page.evaluate(
      () => (JSON.parse(sessionStorage.getItem("silverprint.session") ?? "{}") as { key: string }).key,
    );
    expect(token).toMatch(/^sps_/);
    const kept = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), document.cookie]));
    expect(kept).not.toContain(token);
    const self = () => fetch(`${space.api}/keys/self`, { headers: { Authorization: `Bearer ${token}` } });
    expect((await self()).status).toBe(200);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: `Sign in with ${NAME}` }).waitFor();
    await expect.poll(async () => (await self()).status).toBe(401);
    // The pages of the provider are its own.
    expect(faults.filter((fault) => !fault.startsWith(`asked ${provider.issuer}/`))).toEqual([]);
    await close();
  });

  it("signs in again in a window of its own, and goes on with the page", async () => {
    const login = `ida${String(Date.now())}`;
    // Another one at each try.
    const notes = `notes_${String(Date.now())}`;
    const { id } = (await invite(`${login}@example.com`)) as { id: string };
    await call(space, "POST", "/models", {
      typeModel: "collections",
      name: notes,
      fields: [{ name: "title", type: "string" }],
    });
    const { page, close } = await visit(browser, service.base);
    await logIn(page, login);
    await page.getByText(`${login}@example.com`).waitFor();
    await page.getByRole("link", { name: "Content" }).click();
    await page.getByRole("link", { name: notes }).first().click();
    await page.getByRole("button", { name: "New record" }).click();
    await page.getByLabel("title").fill("Long work");
    await call(space, "DELETE", `/members/${id}/sessions`);
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    // Only "Leave the page" leaves it, and asks before.
    for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    expect(await dialog.getByRole("button", { name: "Close" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Leave the page" }).click();
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await question.getByText("A change that you have sent waits for the sign-in.").waitFor();
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "detached" });
    // The first sign-in is refused, as one with the wrong account is. The next one in this window reaches the page, too.
    const refusal = { error: { code: "FORBIDDEN", message: "This account is no member." } };
    await page
      .context()
      .route("**/api/v1/*/sessions", (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 });
    const opened = page.waitForEvent("popup");
    await dialog.getByRole("button", { name: `Sign in with ${NAME}` }).click();
    const popup = await opened;
    const closed = popup.waitForEvent("close");
    // The provider knows the person already, and may ask for consent alone, or for nothing: the window then closes while
    // the button is looked for. What the click leads to is waited for below.
    const agree = (): Promise<void> =>
      popup
        .getByRole("button", { name: "Continue" })
        .click()
        .catch(() => undefined);
    const refused = popup.getByRole("alert").getByText("This account is no member.");
    await Promise.race([agree(), refused.waitFor()]);
    await refused.waitFor();
    await popup.getByRole("button", { name: `Sign in with ${NAME}` }).click();
    await Promise.race([agree(), closed]);
    await closed;
    await dialog.waitFor({ state: "detached" });
    await page.waitForURL(new RegExp(`${notes}/(?!new)`));
    expect(await call(space, "GET", `/data/collections/${notes}`)).toMatchObject([{ title: "Long work" }]);
    await close();
  });

  it("refuses who is no member, and an address that is not verified, in words", async () => {
    await invite(`unverified${String(Date.now())}@example.com`);
    for (const [login, words] of [
      [`stranger${String(Date.now())}`, "no member"],
      [`unverified${String(Date.now())}`, "verified"],
    ] as const) {
      const { page, close } = await visit(browser, service.base);
      await logIn(page, login);
      await expect.poll(() => page.getByRole("alert").textContent()).toContain(words);
      expect(await page.getByLabel("Space").inputValue()).toBe(space.name);
      await close();
    }
  });

  it("refuses an answer with another state, and a code that was used", async () => {
    const login = `eve${String(Date.now())}`;
    await invite(`${login}@example.com`);
    const { page, close } = await visit(browser, service.base);
    let callback = "";
    page.on("request", (request) => {
      if (request.url().includes("/console/callback?")) callback = request.url();
    });
    await logIn(page, login);
    await page.getByText(`${login}@example.com`).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(callback);
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("not begun in this tab");
    await close();
    const other = await visit(browser, service.base);
    await leave(other.page);
    const wrong = new URL(callback);
    wrong.searchParams.set("state", "guessed");
    await other.page.goto(wrong.href);
    await expect.poll(() => other.page.getByRole("alert").textContent()).toContain("not begun in this tab");
    await other.close();
  });

  it("lists members, invites, changes scopes, ends sessions and removes", async () => {
    const email = `grace${String(Date.now())}@example.com`;
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "members");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Address").fill(email);
    await page.getByLabel("Only some models").check();
    await page.getByText("None is chosen").waitFor();
    for (const name of ["articles", "home"]) await page.getByLabel(name, { exact: true }).check();
    await page.getByLabel("Only some locales").check();
    await page.getByLabel("de", { exact: true }).check();
    expect(await inspect(page, "members-invite")).toEqual([]);
    await page.getByRole("button", { name: "Add member" }).click();
    await page.getByText("Has not signed in yet.").first().waitFor();
    await page.getByText("Scopes: models: articles, home; locales: de.").first().waitFor();
    expect(await inspect(page, "members")).toEqual([]);
    await page.getByRole("button", { name: `Change ${email}` }).click();
    for (const name of ["articles", "home"]) await page.getByLabel(name, { exact: true }).uncheck();
    await page.getByLabel("Only some locales").uncheck();
    await page.getByLabel("Media access").selectOption("none");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Scopes: models: none; no media.").first().waitFor();
    // A member who reaches no model still reaches none after another change.
    await page.getByRole("button", { name: `Change ${email}` }).click();
    await page.getByLabel("Media access").selectOption("read");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Scopes: models: none; media are only read.").first().waitFor();
    // Scopes that nobody touched are not sent.
    await page.evaluate(() => {
      const send = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        const isChange = input instanceof Request && input.method === "PATCH";
        if (isChange) Object.assign(globalThis, { changes: await input.clone().text() });
        return send(input, init);
      };
    });
    await page.getByRole("button", { name: `Change ${email}` }).click();
    await page.getByRole("radio", { name: /^read/ }).check();
    await page.getByRole("button", { name: "Save" }).click();
    const changes = () => page.evaluate(() => (globalThis as unknown as { changes?: string }).changes);
    await expect.poll(changes).toBe('{"role":"read"}');
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: `End sessions of ${email}` }).click();
    await page.getByText(`The sessions of ${email} are ended`).waitFor();
    await page.getByRole("button", { name: `Remove ${email}` }).click();
    await page.getByRole("button", { name: "Yes, remove" }).click();
    await expect.poll(() => page.getByRole("button", { name: `Remove ${email}` }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it("names the keys of a member that is removed, and revokes them", async () => {
    const login = `max${String(Date.now())}`;
    const email = `${login}@example.com`;
    await invite(email, "admin");
    const theirs = await visit(browser, service.base);
    await logIn(theirs.page, login);
    await theirs.page.getByText(email).waitFor();
    const token = await theirs.page.evaluate(
      () => (JSON.parse(sessionStorage.getItem("silverprint.session") ?? "{}") as { key: string }).key,
    );
    for (const name of ["website", "script"])
      await call({ ...space, key: token }, "POST", "/keys", { name, role: "read" });
    await theirs.close();
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "keys");
    await page.getByText(`by ${email}`).first().waitFor();
    expect(await page.getByText(`by ${email}`).count()).toBe(2);
    expect(await inspect(page, "keys-made-by")).toEqual([]);
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("button", { name: `Remove ${email}` }).click();
    await page.getByRole("list", { name: "Keys that they made" }).getByText("website").waitFor();
    await page.route("**/keys?*", (route) =>
      route.fulfill({ status: 403, json: { error: { code: "FORBIDDEN", message: "Not now." } } }),
    );
    await page.getByRole("button", { name: "Yes, remove" }).click();
    // The list cannot be read: the dialog does not say that the keys are revoked.
    const dialog = page.getByRole("dialog", { name: `${email} is removed` });
    await dialog.getByText("2 keys that they made may still work.").waitFor();
    expect(await dialog.getByText("are revoked").count()).toBe(0);
    await page.unroute("**/keys?*");
    await dialog.getByRole("button", { name: "Try again" }).click();
    await dialog.getByRole("button", { name: "Revoke website" }).click();
    await page.getByRole("button", { name: "Yes, revoke" }).click();
    await dialog.getByRole("button", { name: "Revoke website" }).waitFor({ state: "detached" });
    expect(await inspect(page, "members-removed-keys")).toEqual([]);
    const names = (await call<{ name: string }[]>(space, "GET", "/keys")).map(({ name }) => name);
    expect(names).toContain("script");
    expect(names).not.toContain("website");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByText("by a member that is removed").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("tells when sessions could not be ended", async () => {
    const email = `hal${String(Date.now())}@example.com`;
    const { id } = (await invite(email)) as { id: string };
    const { page, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "members");
    await page.getByText(email).waitFor();
    await call(space, "DELETE", `/members/${id}`);
    await page.getByRole("button", { name: `End sessions of ${email}` }).click();
    await page.getByRole("alert").getByText(`The sessions of ${email} are not ended`).waitFor();
    await close();
  });

  it("makes a key with scopes and an end", async () => {
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Key name").fill("preview of a site");
    await page.getByLabel("Only some models").check();
    await page.getByLabel("articles", { exact: true }).check();
    await page.getByLabel("May publish").uncheck();
    await page.getByLabel("Ends").fill("2099-01-01T00:00");
    expect(await inspect(page, "keys-new-scoped")).toEqual([]);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Scopes: models: articles; publishes nothing.").first().waitFor();
    expect(await inspect(page, "keys-scoped")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("signs an operator in as root", async () => {
    const { page, close } = await visit(browser, service.base);
    await logIn(page, "operator");
    await page.getByText("operator@example.com").waitFor();
    await page.getByText("root", { exact: true }).waitFor();
    await close();
  });
});
