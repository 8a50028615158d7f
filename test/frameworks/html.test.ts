/** Plain HTML: written before, and made in the browser from the package's own files. */
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { installApp, serveFiles, type Site } from "./support/app.ts";
import { describePage } from "./support/expectations.ts";
import { CARD, DRAWING, HERO, SMALL, type Shown } from "./support/pictures.ts";

const PICTURES = [HERO, CARD, SMALL, DRAWING];
const BLURRED = ["hero", "card", "small"];

let site: Site | null = null;
beforeAll(async () => {
  const app = await installApp("html");
  await app.run("node", "write-page.mjs");
  const entryPoints = join(app.folder, "node_modules/silverprint");
  site = await serveFiles({
    "/silverprint/": entryPoints,
    "/dist/": join(app.folder, "dist"),
    "/": app.folder,
  });
});
afterAll(() => site?.stop());

describe("a page that a program wrote", () => {
  /** Returns the picture that art direction chooses: upright on a narrow viewport, and flat on others. */
  const directed = (viewport: number): Shown =>
    viewport <= 640
      ? { ...HERO, name: "directed", ratio: 4 / 5, widthMax: 1066 }
      : { ...HERO, name: "directed", ratio: 21 / 9 };
  describePage(
    () => `${site!.url}dist/`,
    "html",
    (viewport) => [...PICTURES, directed(viewport)],
    BLURRED,
  );
});

describe("a page that makes its pictures in the browser", () => {
  describePage(
    () => `${site!.url}in-browser.html`,
    "html-in-browser",
    () => PICTURES,
    BLURRED,
  );
});
