/** A large upload in the console, in the second ring of 100 MB, that is broken off in every way, and arrives byte for byte. */
import { randomFillSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bearer, json, newSpace, type MediaObject } from "../../../../scripts/harness/api.ts";
import {
  newDataDir,
  removeDataDir,
  startService,
  type Service,
} from "../../../../scripts/harness/service.ts";
import { freePort } from "../../../../scripts/start/ports.ts";
import { MULTIPART, UPLOAD } from "../../../../src/limits.ts";
import { inBrowser, signIn, visit } from "../../../support/console/console.ts";
import { pngOf } from "../../../support/pictures/damaged-masters.ts";
import { rounds } from "../../../support/ring.ts";

const NAME = "large.png";
const SIZE = { width: 6000, height: rounds(2000, 5800) };
/** Slow enough to be broken off. */
const LINE_BYTES_PER_SECOND = 8_000_000;
const UNTIL = { timeout: 240_000, interval: 50 };

/** Writes noise without compression, in the second ring as large as the service takes. */
function largeFile(folder: string): string {
  const path = join(folder, NAME);
  const rowBytes = 1 + 3 * SIZE.width;
  const rows = randomFillSync(Buffer.alloc(SIZE.height * rowBytes));
  // Each begins with its filter, which is none.
  for (let at = 0; at < rows.length; at += rowBytes) rows[at] = 0;
  writeFileSync(path, pngOf(SIZE.width, SIZE.height, deflateSync(rows, { level: 0 })));
  return path;
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: LINE_BYTES_PER_SECOND,
  });
}

function suite(openBrowser: () => Promise<Browser>): void {
  const folder = mkdtempSync(join(tmpdir(), "silverprint-upload-"));
  const dataDir = newDataDir();
  let browser: Browser;
  let service: Service;
  beforeAll(async () => {
    service = await startService({ dataDir, port: await freePort() });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await service.stop();
    removeDataDir(dataDir);
    rmSync(folder, { recursive: true });
  });

  it(
    "goes on after a reload, a dead line and a dead service (RULES 11.5)",
    { timeout: 600_000 },
    async () => {
      const path = largeFile(folder);
      const file = readFileSync(path);
      expect(file.length).toBeLessThanOrEqual(UPLOAD.maxBytes);
      expect(file.length).toBeGreaterThan(rounds(0.33, 0.98) * UPLOAD.maxBytes);
      const space = await newSpace(service);
      const { page, faults, close } = await visit(browser, service.base);
      page.on("dialog", (dialog) => void dialog.accept());
      const isPart = (request: Request): boolean =>
        request.method() === "PUT" && request.url().includes("/parts/");
      const asked: string[] = [];
      const answered: string[] = [];
      page.on("request", (request) => isPart(request) && asked.push(request.url()));
      page.on("requestfinished", (request) => isPart(request) && answered.push(request.url()));
      const share = async (): Promise<number> =>
        Number(await page.getByRole("progressbar", { name: NAME }).getAttribute("aria-valuenow"));
      await signIn(page, space.name, space.key);
      await slowDown(page);
      await page.getByLabel("Upload files").setInputFiles(path);

      await expect.poll(share, UNTIL).toBeGreaterThan(20);
      await page.reload();
      await expect.poll(share, UNTIL).toBeGreaterThan(40);
      await page.context().setOffline(true);
      await page.waitForTimeout(1500);
      await page.context().setOffline(false);
      await expect.poll(share, UNTIL).toBeGreaterThan(60);
      await service.kill();
      service = await startService({ dataDir, port: Number(new URL(service.base).port) });
      await page.getByRole("link", { name: NAME }).waitFor(UNTIL);

      const [stored] = await json<MediaObject[]>(
        await fetch(`${space.api}/media`, { headers: bearer(space.key) }),
      );
      expect(stored).toMatchObject({ filename: NAME, size: file.length, mime: "image/png", ...SIZE });
      const served = Buffer.from(await (await fetch(stored?.url ?? "")).arrayBuffer());
      expect(served.equals(file)).toBe(true);
      // One upload, of which each part arrived once; the console sends again the parts that a break cut off. A break
      // may also cut off only the answer for a part, which has arrived then.
      const parts = new Set(asked).size;
      expect(parts).toBe(Math.ceil(file.length / MULTIPART.partBytes));
      expect(answered.length).toBeLessThan(2 * parts);
      expect(faults).toEqual([]);
      await close();
    },
  );
}

// In Chromium in both rings: the driver of Firefox cannot slow a network down.
inBrowser("a large upload in the console", suite, "chromium");
