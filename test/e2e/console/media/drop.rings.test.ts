/** Pictures that are dropped on the console, or pasted into it. */
import type { Browser } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { bearer, json, newSpace, type MediaObject } from "../../../../scripts/harness/api.ts";
import { inBrowser, signIn, visit } from "../../../support/console/console.ts";
import { photoJpeg } from "../../../support/pictures/draw.ts";

const service = inject("service");

inBrowser("pictures dropped on the console", (openBrowser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("takes what is dropped on the page, and what is pasted", async () => {
    const space = await newSpace(service);
    const photo = await photoJpeg(300, 200);
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    const give = (type: "dragenter" | "drop" | "paste", names: string[]): Promise<void> =>
      page.evaluate(
        ({ type, names, bytes }) => {
          const given = new DataTransfer();
          for (const name of names)
            given.items.add(new File([new Uint8Array(bytes)], name, { type: "image/jpeg" }));
          const event = new Event(type, { bubbles: true, cancelable: true });
          // Firefox gives the files to no event that a script has made.
          Object.defineProperty(event, type === "paste" ? "clipboardData" : "dataTransfer", { value: given });
          document.body.dispatchEvent(event);
        },
        { type, names, bytes: [...photo] },
      );
    // Until the page listens.
    await expect
      .poll(async () => {
        await give("dragenter", ["any.jpg"]);
        return page.getByText("Drop to upload").count();
      })
      .toBe(1);
    await give("drop", ["dropped 1.jpg", "dropped 2.jpg"]);
    await give("paste", ["pasted.jpg"]);
    for (const name of ["dropped 1.jpg", "dropped 2.jpg", "pasted.jpg"])
      await page.getByRole("link", { name }).waitFor();
    await page.getByText("Drop to upload").waitFor({ state: "detached" });
    const stored = await json<MediaObject[]>(
      await fetch(`${space.api}/media`, { headers: bearer(space.key) }),
    );
    expect(stored.map(({ size }) => size)).toEqual([photo.length, photo.length, photo.length]);
    expect(faults).toEqual([]);
    await close();
  });
});
