/** Webhooks in the console: made with a secret that is shown once, tried, disabled, rotated and removed. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { newSpace } from "../../../scripts/harness/api.ts";
import { call } from "../../support/console/console-content.ts";
import { inBrowser, inspect, signIn, visit } from "../../support/console/console.ts";
import { answerWith, WebhookReceiver } from "../../support/webhook-receiver.ts";

const service = inject("service");

inBrowser("webhooks in the console", (openBrowser) => {
  let browser: Browser;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    browser = await openBrowser();
    receiver = await new WebhookReceiver(answerWith(204)).start();
  });
  afterAll(() => receiver.stop());

  it("makes one, shows its secret once, pings, redelivers, disables, rotates and removes it", async () => {
    const space = await newSpace(service);
    const fields = [{ name: "title", type: "string" }];
    await call(space, "POST", "/models", { typeModel: "collections", name: "posts", fields });
    const read = (): Promise<unknown> => call(space, "GET", "/webhooks");
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "webhooks");
    await page.getByText("No webhooks yet").waitFor();
    expect(await inspect(page, "webhooks-empty")).toEqual([]);

    await page.getByRole("button", { name: "New webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address").fill("https://10.0.0.1/hook");
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await dialog.getByText(/no IP address/).waitFor();
    await dialog.getByLabel("Address").fill(receiver.url);
    await dialog.getByLabel("Webhook name").fill("Build the site");
    await dialog.getByLabel("Only some models").check();
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await dialog.getByText("Choose at least one model").waitFor();
    expect(await inspect(page, "webhook-no-models")).toEqual([]);
    expect(await read()).toEqual([]);
    await dialog.getByLabel("posts").check();
    expect(await inspect(page, "webhook-new")).toEqual([]);
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    const shown = dialog.getByLabel("Signing secret");
    receiver.secret = await shown.inputValue();
    expect(receiver.secret).toMatch(/^whsec_/);
    expect(await inspect(page, "webhook-secret")).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();
    expect(await read()).toMatchObject([
      {
        ...{ name: "Build the site", url: receiver.url, models: ["posts"], enabled: true },
        events: ["record.published", "record.unpublished", "record.trashed", "record.restored"],
      },
    ]);
    expect(await inspect(page, "webhooks")).toEqual([]);

    await page.getByRole("link", { name: "Build the site" }).click();
    await page.getByRole("button", { name: "Ping" }).click();
    const row = page.getByRole("row").filter({ hasText: "ping" });
    await row.getByText("delivered").waitFor();
    await row.getByText("1 attempt", { exact: true }).click();
    await row.getByText(/204/).waitFor();
    expect(await inspect(page, "webhook")).toEqual([]);
    await row.getByRole("button", { name: /Redeliver/ }).click();
    await row.getByText("2 attempts", { exact: true }).waitFor();
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);

    await page.getByRole("button", { name: "Rotate secret" }).click();
    const rotated = await page.getByRole("dialog").getByLabel("Signing secret").inputValue();
    expect(rotated).not.toBe(receiver.secret);
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    await page.getByText("The one before signs too").waitFor();

    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Enable" }).waitFor();
    expect(await page.getByRole("button", { name: "Ping" }).isDisabled()).toBe(true);
    expect(await inspect(page, "webhook-disabled")).toEqual([]);
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByRole("button", { name: "Disable" }).waitFor();

    await page.getByRole("button", { name: "Change" }).click();
    await page.getByRole("dialog").getByLabel("All events").check();
    await page.getByRole("dialog").getByRole("button", { name: "Save webhook" }).click();
    await expect.poll(read).toMatchObject([{ events: ["*"], enabled: true }]);

    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Yes, remove" }).click();
    await page.getByText("No webhooks yet").waitFor();
    expect(await read()).toEqual([]);
    expect(receiver.faults).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
});
