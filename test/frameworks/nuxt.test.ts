import { afterAll, beforeAll, describe, it } from "vitest";
import { installApp, startServer, type App, type Site } from "./support/app.ts";
import { describePage } from "./support/expectations.ts";
import { CARD, DRAWING, HERO, SMALL } from "./support/pictures.ts";
import { describeRemotePage } from "./support/remote-page.ts";
import { useRemotePage } from "./support/remote.ts";

let app: App;
let site: Site | null = null;
beforeAll(async () => {
  app = await installApp("nuxt");
  await app.run("nuxt", "build");
  site = await startServer(app, "node", ".output/server/index.mjs");
});
afterAll(() => site?.stop());

describe("Nuxt", () => {
  it("takes the provider for one of its own", () => app.checkTypes());
  describePage(
    () => site!.url,
    "nuxt",
    () => [HERO, CARD, SMALL, DRAWING],
    ["hero", "card", "small"],
  );
});

describe("Nuxt with the base address", () => {
  describeRemotePage("Nuxt", async (remote, base) => {
    await site?.stop();
    useRemotePage(app, "nuxt", remote, base);
    await app.run("nuxt", "build");
    site = await startServer(app, "node", ".output/server/index.mjs");
    return site.url;
  });
});
