/** Decodes pictures in real browsers: `img` shows them, a canvas draws them, and their pixels are read back. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bitmap } from "./ssim.ts";

export type BrowserName = "chromium" | "firefox";

/**
 * The headless shell is Chromium's engine without its windows, which nobody sees here: a page takes a quarter less of the
 * processor.
 */
const COMMANDS: Record<BrowserName, string[]> = {
  chromium: [
    process.env["CHROMIUM"] ?? "",
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
  ],
  firefox: [process.env["FIREFOX"] ?? "", "firefox-esr", "firefox"],
};

/** Returns the path of a browser, from the variable CHROMIUM or FIREFOX, or found in PATH. Null when there is none. */
export function findBrowser(browser: BrowserName): string | null {
  for (const name of COMMANDS[browser]) {
    try {
      if (name) return execFileSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();
    } catch {
      // Not this one.
    }
  }
  return null;
}

/** Lists below the address bar: pages that take 0.7 s of the processor in every new window, though nobody sees them. */
const UNSEEN = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];
/** The features that Playwright 1.65 switches off. Of several flags that switch features off, the last one counts. */
const OFF_FOR_PLAYWRIGHT = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
];

/** A process that is started ahead for the next site that a tab shows. A test's tab shows one site. */
const SPARE_PROCESS = "SpareRendererForSitePerProcess";

/** Flags for a Chromium that Playwright starts, beside its own. */
export const drivenChromiumFlags: string[] = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...UNSEEN, SPARE_PROCESS].join(",")}`,
];

/** Returns flags for a Chromium that makes no requests of its own and keeps its data in `profile`. */
export const chromiumFlags = (profile: string): string[] => [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  `--disable-features=${UNSEEN.join(",")}`,
  "--disable-background-networking",
  "--disable-component-update",
  "--no-first-run",
  `--user-data-dir=${profile}`,
];

/** Preferences for a Firefox without first-run pages and without requests of its own. */
const FIREFOX_PREFERENCES = {
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

/** A page that decodes each file in turn and posts its RGBA, not premultiplied, or the reason why there is none. */
const PAGE = `<!doctype html><title>pictures</title><script>
(async () => {
  for (let i = 0; ; i++) {
    const answer = await fetch("/file/" + i);
    if (answer.status !== 200) break;
    await answer.arrayBuffer();
    try {
      const image = new Image();
      image.src = "/file/" + i;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const colorSpace = answer.headers.get("X-Colour-Space");
      const context = canvas.getContext("2d", { willReadFrequently: true, colorSpace });
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, width, height, { colorSpace });
      await fetch("/pixels/" + i + "?" + width + "x" + height, { method: "POST", body: data });
    } catch (error) {
      await fetch("/failed/" + i, { method: "POST", body: String(error) });
    }
  }
  await fetch("/done", { method: "POST" });
})();
</script>`;

export interface Shown {
  /** RGBA; null when the browser shows nothing. */
  bitmap: Bitmap | null;
  error: string | null;
}

const PATIENCE_MS = 240_000;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export interface File {
  type: string;
  bytes: Uint8Array;
  /** The colour space of the canvas, and of the pixels that are read back; by default sRGB. */
  colourSpace?: "display-p3";
}

/** The server of the page and the files, which also receives what the page posts. */
class Desk {
  readonly shown: Shown[];
  readonly done: Promise<void>;
  readonly #files: readonly File[];
  readonly #server: Server;
  #finish: () => void = () => undefined;

  constructor(files: readonly File[]) {
    this.#files = files;
    this.shown = files.map(() => ({ bitmap: null, error: "the browser said nothing of it" }));
    this.done = new Promise((resolve) => (this.#finish = resolve));
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, what, index = "", width = "", height = ""] =
      /^\/(\w*)\/?(\d*)\??(\d*)x?(\d*)$/.exec(request.url ?? "") ?? [];
    const posted = request.method === "POST" ? await bodyOf(request) : null;
    if (posted && what === "pixels") {
      const bitmap = { width: Number(width), height: Number(height), channels: 4, data: posted };
      this.shown[Number(index)] = { bitmap, error: null };
    }
    if (posted && what === "failed") this.shown[Number(index)] = { bitmap: null, error: posted.toString() };
    const file = what === "file" ? this.#files[Number(index)] : undefined;
    if (file) {
      const { type, bytes, colourSpace = "srgb" } = file;
      response.writeHead(200, { "Content-Type": type, "X-Colour-Space": colourSpace }).end(bytes);
    } else if (what === "") response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
    else response.writeHead(posted ? 204 : 404).end();
    if (what === "done") this.#finish();
  }
}

function start(browser: BrowserName, command: string, profile: string, url: string): ChildProcess {
  const options = { stdio: "ignore", detached: true } as const;
  if (browser === "chromium")
    return spawn(command, [...chromiumFlags(profile), "--remote-debugging-port=0", url], options);
  const preferences = Object.entries(FIREFOX_PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, "user.js"), preferences.join(""));
  return spawn(command, ["--headless", "--no-remote", "--profile", profile, url], options);
}

/** Shows each file in `browser`, whose program is `command`. @returns the bitmaps in order @throws Error if it fails */
export async function shownBy(
  browser: BrowserName,
  command: string,
  files: readonly File[],
): Promise<Shown[]> {
  const desk = new Desk(files);
  try {
    await visit(browser, command, await desk.open(), desk.done, PATIENCE_MS);
    return desk.shown;
  } finally {
    desk.close();
  }
}

/** Keeps a page open in `browser`, whose program is `command`, until `done`. @throws Error if that takes too long */
export async function visit(
  browser: BrowserName,
  command: string,
  url: string,
  done: Promise<void>,
  patienceMs: number,
): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), `silverprint-${browser}-`));
  const child = start(browser, command, profile, url);
  let timer: NodeJS.Timeout | undefined;
  const trouble = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${browser} did not finish in time`)), patienceMs);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${browser} ended`)));
  });
  try {
    await Promise.race([done, trouble]);
  } finally {
    clearTimeout(timer);
    trouble.catch(() => undefined);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    // Kills the process group, which has all processes of the browser.
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, "SIGKILL");
      await ended;
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
