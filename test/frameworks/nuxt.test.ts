import { afterAll, beforeAll, describe, it } from "vitest";
import { installApp, startServer, type App, type Site } from "./support/app.ts";
import { describePage } from "./support/expectations.ts";
import { CARD, DRAWING, HERO, SMALL } from "./support/pictures.ts";

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
