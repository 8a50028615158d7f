import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { installApp, serveFiles, type App, type Site } from "./support/app.ts";
import { describePage } from "./support/expectations.ts";
import { CARD, DRAWING, HERO, SMALL } from "./support/pictures.ts";
import { describeRemotePage } from "./support/remote-page.ts";

const build = (app: App) => app.run("astro", "build");
const serve = (app: App) => serveFiles({ "/": join(app.folder, "dist") });

let app: App;
let site: Site | null = null;
beforeAll(async () => {
  app = await installApp("astro");
  await build(app);
  site = await serve(app);
});
afterAll(() => site?.stop());

describe("Astro", () => {
  it("takes the service for one of its own", () => app.checkTypes());
  describePage(
    () => site!.url,
    "astro",
    () => [HERO, CARD, SMALL, DRAWING],
    ["hero", "card", "small"],
  );
});

describe("Astro with the base address", () => {
  describeRemotePage("Astro", { name: "astro", app: () => app, build, serve });
});
