import { afterAll, beforeAll, describe } from "vitest";
import { installApp, startServer, type App, type Site } from "./support/app.ts";
import { describePage } from "./support/expectations.ts";
import { CARD, DRAWING, HERO, SMALL } from "./support/pictures.ts";
import { describeRemotePage } from "./support/remote-page.ts";

// Checks the types too, against those of Next.
const build = (app: App) => app.run("next", "build");
const serve = (app: App) => startServer(app, "next", "start", "--hostname", "127.0.0.1");

let app: App;
let site: Site | null = null;
beforeAll(async () => {
  app = await installApp("next");
  await build(app);
  site = await serve(app);
});
afterAll(() => site?.stop());

describe("Next", () => {
  const unpic = { ...CARD, name: "unpic", ratio: 1 };
  describePage(
    () => site!.url,
    "next",
    () => [HERO, CARD, SMALL, DRAWING, unpic],
    ["hero", "card", "small", "unpic"],
  );
});

describe("Next with the base address", () => {
  describeRemotePage("Next", { name: "next", app: () => app, build, serve });
});
