import { afterAll, beforeAll, describe, it } from "vitest";
import { installApp, startServer, type App, type Site } from "./support/app.ts";
import { describePage } from "./support/expectations.ts";
import { CARD, DRAWING, HERO, SMALL } from "./support/pictures.ts";
import { describeRemotePage } from "./support/remote-page.ts";

const build = (app: App) => app.run("nuxt", "build");
const serve = (app: App) => startServer(app, "node", ".output/server/index.mjs");

let app: App;
let site: Site | null = null;
beforeAll(async () => {
  app = await installApp("nuxt");
  await build(app);
  site = await serve(app);
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
  describeRemotePage("Nuxt", { name: "nuxt", app: () => app, build, serve });
});
