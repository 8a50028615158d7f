import { afterAll, beforeAll, describe } from "vitest";
import { installApp, startServer, type Site } from "./support/app.ts";
import { describePage } from "./support/expectations.ts";
import { CARD, DRAWING, HERO, SMALL } from "./support/pictures.ts";

let site: Site | null = null;
beforeAll(async () => {
  const app = await installApp("next");
  // Checks the types too, against those of Next.
  await app.run("next", "build");
  site = await startServer(app, "next", "start", "--hostname", "127.0.0.1");
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
