/** The expectations of a page whose pictures stand on another server, with the base address and without it. */
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { expect, it } from "vitest";
import { ssimulacra2 } from "../../../scripts/bench/bytes/ssimulacra2.ts";
import { copyBuilt, type App, type Site } from "./app.ts";
import { compareFirstVisits, warm } from "./first-visits.ts";
import { visitRemote, type RemoteVisit, type SeenRemote } from "./remote-visit.ts";
import { startRemote, useRemotePages, type RemotePicture } from "./remote.ts";
import { hasChromium, openBrowser, type Screen } from "./visit.ts";

const SCREENS: readonly Screen[] = [
  { width: 390, density: 2 },
  { width: 1280, density: 1 },
];
/** For three builds of the app, and all files of its pictures, on a machine that is busy with other things. */
const TEST_MAX_MS = 600_000;
const FIRST_VISITS = 6;

async function bitmapOf(file: Buffer, width: number, height: number) {
  const image = sharp(file).removeAlpha().toColourspace("srgb").resize(width, height, { fit: "fill" });
  return { width, height, channels: 3, data: new Uint8Array(await image.raw().toBuffer()) };
}

/** Returns how much a file looks like the original where both are shown at the same size: SSIMULACRA 2. */
async function lookOf(file: Buffer, original: Buffer, shownWidth: number): Promise<number> {
  const { width, height } = await sharp(original).metadata();
  const shownHeight = Math.round((shownWidth * height) / width);
  const [a, b] = [
    await bitmapOf(original, shownWidth, shownHeight),
    await bitmapOf(file, shownWidth, shownHeight),
  ];
  return ssimulacra2(a, b);
}

const QUALITY_MAX = 100;
const QUALITY_MIN = 40;

/**
 * Returns the framework's file at the lowest quality with which it looks as good: made by sharp, which all three
 * frameworks use, with the framework's own format and width. The best of them if none looks as good, being too narrow.
 */
async function atLook(
  { body, shownWidth }: SeenRemote,
  { file }: RemotePicture,
  look: number,
): Promise<{ bytes: number; isAsGood: boolean }> {
  const { format, width } = await sharp(body).metadata();
  const encoded = (quality: number) => sharp(file).resize(width).toFormat(format, { quality }).toBuffer();
  let [low, high] = [QUALITY_MIN, QUALITY_MAX];
  while (low < high) {
    const quality = (low + high) >> 1;
    if ((await lookOf(await encoded(quality), file, shownWidth)) >= look) high = quality;
    else low = quality + 1;
  }
  const best = await encoded(low);
  return { bytes: best.length, isAsGood: (await lookOf(best, file, shownWidth)) >= look };
}

/** An app, and how its users build and serve it. */
export interface RemoteApp {
  /** The name of its folder. */
  name: string;
  app: () => App;
  build: (app: App) => Promise<unknown>;
  serve: (app: App) => Promise<Site>;
}

/** Describes what holds for a page of a framework when its pictures come by the service. */
export function describeRemotePage(framework: string, { name, app, build, serve }: RemoteApp): void {
  const rule = "shows pictures of another server, smaller than the framework makes them";
  it.skipIf(!hasChromium)(rule, { timeout: TEST_MAX_MS }, async () => {
    const browser = await openBrowser();
    const remote = await startRemote(FIRST_VISITS);
    const say = (text: string): void => console.log(`${framework}: ${text}`);
    const sites: Site[] = [];
    const open = async (built: App): Promise<Site> => {
      const site = await serve(built);
      sites.push(site);
      return site;
    };
    try {
      useRemotePages(app(), name, remote, "framework");
      await build(app());
      const ownSite = await open(app());
      const own = await visits(browser, ownSite.url);
      await ownSite.stop();
      useRemotePages(app(), name, remote, "originals");
      await build(app());
      const { url: originals } = await open(copyBuilt(app(), "originals"));
      useRemotePages(app(), name, remote, "service");
      await build(app());
      const { url } = await open(app());
      await compareFirstVisits(browser, { originals, service: url }, remote, SCREENS, say);
      for (const { pictures } of await visits(browser, url))
        for (const { address } of pictures) await warm(address);
      const asked = remote.origin.requests.length;
      const warmed = await visits(browser, url);
      expect(remote.origin.requests).toHaveLength(asked);
      for (const [index, { pictures, complaints }] of warmed.entries()) {
        expect(complaints).toEqual([]);
        const sum = { ours: 0, theirs: 0 };
        for (const [at, seen] of pictures.entries()) {
          const [picture, theirs] = [remote.pages[0]?.[at], own[index]?.pictures[at]];
          if (!picture || theirs?.name !== seen.name) throw new Error(`${seen.name} is not on both pages`);
          expectOneRequest(seen);
          sum.ours += seen.body.length;
          sum.theirs += await bytesOfEqual(seen, theirs, picture, say);
        }
        // A single picture may be larger: the grid may have no width that is as near as the framework's.
        expect(sum.ours).toBeLessThan(sum.theirs);
      }
    } finally {
      await browser.close();
      for (const site of sites) await site.stop();
      await remote.origin.stop();
    }
  });
}

async function visits(browser: Browser, url: string): Promise<RemoteVisit[]> {
  const all: RemoteVisit[] = [];
  for (const screen of SCREENS) all.push(await visitRemote(browser, url, screen));
  return all;
}

/** Expects one request, which leads to a file that browsers keep for good. */
function expectOneRequest({ hops, cacheControl, name }: SeenRemote): void {
  expect(hops, name).toHaveLength(2);
  expect(new URL(hops[1] ?? "").pathname, name).toMatch(/^\/cdn\/v\//);
  expect(cacheControl, name).toBe("public, max-age=31536000, immutable");
}

/** Returns the bytes of the framework's own file that looks as good as ours. */
async function bytesOfEqual(
  seen: SeenRemote,
  theirs: SeenRemote,
  picture: RemotePicture,
  say: (text: string) => void,
): Promise<number> {
  const look = await lookOf(seen.body, picture.file, seen.shownWidth);
  const equal = await atLook({ ...theirs, shownWidth: seen.shownWidth }, picture, look);
  const described = async ({ body, contentType }: SeenRemote): Promise<string> => {
    const { width } = await sharp(body).metadata();
    const score = await lookOf(body, picture.file, seen.shownWidth);
    return `${body.length} bytes, ${contentType}, ${width} wide, look ${score.toFixed(1)}`;
  };
  say(
    `${seen.name} at ${seen.shownWidth} pixels: ${await described(seen)}; its own: ${await described(theirs)}, and ` +
      `${equal.bytes} ${equal.isAsGood ? "at the same look" : "at its best, which looks worse"}`,
  );
  return equal.bytes;
}
