/** The expectations of every app, at every screen. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rightWidth, type Shown } from "./pictures.ts";
import { addressesOf, hasChromium, openBrowser, visit, type Screen, type SeenPicture } from "./visit.ts";

const SCREENS = [
  { width: 390, density: 3 },
  { width: 768, density: 1 },
  { width: 1280, density: 2 },
];

/** A folder for screenshots, for somebody who wants to look at them. */
const SHOTS = process.env["SHOTS"];
const WARM_WITHIN_MS = 120_000;
const POLL_MS = 250;
/** Levels of 255: a picture of 16 pixels has the colours of the picture, but not its noise. */
const BLUR_DIFFERENCE_MAX = 24;
/** Levels of 255 between one picture scaled by the service and by the browser. */
const SCALING_DIFFERENCE_MAX = 4;

const shotsAt = (name: string): string | null => (SHOTS === undefined ? null : join(SHOTS, name));

const CHROMIUM_ACCEPT = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

/** Asks for a file until it is built: who comes first is answered with the master, and that is a test of its own. */
async function warm(address: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < WARM_WITHIN_MS;) {
    const response = await fetch(address, { headers: { Accept: CHROMIUM_ACCEPT } });
    const state = response.headers.get("X-Service-Transform");
    await response.body?.cancel();
    expect(response.status, address).toBe(200);
    if (state === null || state === "hit" || state === "built") return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${address} is not built in time`);
}

function expectRight(seen: SeenPicture, shown: Shown, screen: Screen): void {
  const where = `${shown.name} at ${screen.width} x ${screen.density}`;
  expect(seen.requests, where).toHaveLength(1);
  expect(seen, where).toMatchObject({ status: 200, isRedirected: false });
  expect(seen.headers["cache-control"], where).toBe("public, max-age=31536000, immutable");
  const boxWidth = Math.min(shown.boxWidth(screen.width), screen.width);
  expect(seen.box.width, where).toBeCloseTo(boxWidth, 0);
  expect(Math.abs(seen.box.height - boxWidth / shown.ratio), where).toBeLessThan(1);
  if (shown.widthMax === Infinity) {
    expect(seen.headers["content-type"], where).toBe("image/svg+xml");
    return;
  }
  expect(seen.headers["content-type"], where).toBe("image/avif");
  expect(seen.width, where).toBe(rightWidth(shown, screen.width, screen.density));
  expect(Math.abs(seen.height - seen.width / shown.ratio), where).toBeLessThanOrEqual(1);
}

/** Compares two means of one picture, which another crop of it would not have. */
function expectSimilar(name: string, a: number[], b: number[], most: number): void {
  const differences = a.map((value, i) => Math.abs(value - b[i]!));
  expect(Math.max(...differences), `${name}: ${a.join(" ")} and ${b.join(" ")}`).toBeLessThan(most);
}

/**
 * @param name of the app
 * @param picturesAt what it shows on a viewport of that width, in the order of the page
 * @param blurred names of the pictures whose placeholder shows first
 */
export function describePage(
  site: () => string,
  name: string,
  picturesAt: (viewport: number) => Shown[],
  blurred: string[],
): void {
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await openBrowser();
    for (const address of await addressesOf(browser, site())) await warm(address);
  });
  afterAll(async () => {
    await browser?.close();
  });

  it.skipIf(!hasChromium).each(SCREENS)(
    "on a screen of $width pixels at density $density",
    async (screen) => {
      const visited = await visit(browser!, site(), screen, { shots: shotsAt(name) });
      expect(visited.complaints).toEqual([]);
      expect(visited.layoutShift).toBe(0);
      const pictures = picturesAt(screen.width);
      expect(visited.pictures.map((seen) => seen.name)).toEqual(pictures.map((shown) => shown.name));
      for (const [i, shown] of pictures.entries()) expectRight(visited.pictures[i]!, shown, screen);
      const placeholders = visited.pictures.filter((seen) => blurred.includes(seen.name));
      expect(placeholders).toHaveLength(blurred.length);
      for (const seen of placeholders) expectSimilar(seen.name, seen.before, seen.after, BLUR_DIFFERENCE_MAX);
    },
  );

  it.skipIf(!hasChromium)("moves nothing while crops are not built, and shows the same part", async () => {
    const screen = { width: 1024, density: 1 };
    const warmed = await visit(browser!, site(), screen, { shots: null });
    const cold = await visit(browser!, site(), screen, { shots: shotsAt(`${name}-cold`), isCold: true });
    expect(cold.layoutShift).toBe(0);
    expect(cold.pictures.map(({ box }) => box)).toEqual(warmed.pictures.map(({ box }) => box));
    for (const [i, seen] of cold.pictures.entries()) {
      expectSimilar(seen.name, seen.after, warmed.pictures[i]!.after, SCALING_DIFFERENCE_MAX);
    }
  });
}
