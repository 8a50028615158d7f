/**
 * Origins over real HTTP, as visitors meet them: down, slow, changing, gone. No visitor gets anything but a redirect that
 * leads to a picture, or to the origin itself (RULES 13.2, 13.4 to 13.6).
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, json, newSpace, type Space } from "../../scripts/harness/api.ts";
import { newDataDir, removeDataDir, type Service, startService } from "../../scripts/harness/service.ts";
import { QUEUE, REMOTE } from "../../src/limits.ts";
import { OriginServer } from "../support/remote/origin-server.ts";

const dataDir = newDataDir();
let service: Service;
let space: Space;
/** A server that answers, and one that hangs. */
let origin: OriginServer;
let slow: OriginServer;

/** Makes a picture of one colour. */
const jpegOf = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .jpeg()
    .toBuffer();

interface Seen {
  status: number;
  location: string;
  state: string | null;
}

async function ask(url: string): Promise<Seen> {
  const answer = await fetch(`${space.api}/remote?w=236&fm=png&url=${encodeURIComponent(url)}`, {
    redirect: "manual",
  });
  await answer.body?.cancel();
  const { status, headers } = answer;
  const location = new URL(headers.get("Location") ?? "", service.base).href;
  return { status, location, state: headers.get("X-Service-Transform") };
}

/** Asks, once in a while, until the answer is as it should be. Every answer on the way is a redirect. */
async function until(url: string, isRight: (seen: Seen) => boolean): Promise<Seen> {
  for (;;) {
    const seen = await ask(url);
    expect(seen.status).toBe(302);
    if (isRight(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const isVariant = ({ location }: Seen): boolean => location.startsWith(`${service.base}/cdn/v/`);
const warm = (url: string): Promise<Seen> => until(url, isVariant);

/** Returns the strongest colour of the file that a redirect leads to: `r`, `g` or `b`. */
async function colourOf({ location }: Seen): Promise<string> {
  const file = await fetch(location);
  expect(file.status).toBe(200);
  const { dominant } = await sharp(Buffer.from(await file.arrayBuffer())).stats();
  const strongest = Object.entries(dominant).sort(([, a], [, b]) => b - a)[0];
  return strongest?.[0] ?? "";
}

/** Makes all files older than what their origin has promised. It writes to the database of the running service. */
function growOld(): void {
  const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
  let aged = 0;
  for (const file of files.filter((name) => name.includes("d1") && name.endsWith(".sqlite"))) {
    const db = new DatabaseSync(join(dataDir, file), { timeout: 60_000 });
    const isOurs = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'remotes'").get() !== undefined;
    if (isOurs) aged += Number(db.prepare("UPDATE remotes SET fresh_until = 1").run().changes);
    db.close();
  }
  expect(aged).toBeGreaterThan(0);
}

beforeAll(async () => {
  service = await startService({ dataDir, env: { REMOTE_TEST_ORIGINS: "1" } });
  space = await newSpace(service);
  origin = await OriginServer.start();
  slow = (await OriginServer.start()).otherwise(() => undefined);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([origin.stop(), slow.stop()]);
  removeDataDir(dataDir);
});

async function allow(origins: string[]): Promise<void> {
  const headers = { ...bearer(space.key), "Content-Type": "application/json" };
  await json(
    await fetch(`${space.api}/settings`, { method: "PATCH", headers, body: JSON.stringify({ origins }) }),
  );
}

const remoteUsage = async (): Promise<{ pictures: number }> =>
  (
    await json<{ remote: { pictures: number } }>(
      await fetch(`${space.api}/usage`, { headers: bearer(space.key) }),
    )
  ).remote;

describe("an origin", () => {
  it("that is down leaves the visitor its address, and what was fetched before is served on", async () => {
    const down = await OriginServer.start();
    await allow([origin.base, slow.base, down.base]);
    down.file("/kept.jpg", await jpegOf("red"));
    await warm(down.url("/kept.jpg"));
    const [kept, never] = [down.url("/kept.jpg"), down.url("/never.jpg")];
    await down.stop();
    expect(await ask(never)).toEqual({ status: 302, location: never, state: "queued" });
    const refused = await until(never, ({ state }) => state === "unavailable");
    expect(refused.location).toBe(never);
    expect(await colourOf(await ask(kept))).toBe("r");
  });

  it("that hangs, or gives a byte at a time, holds up no visitor and no other server, and is given up", async () => {
    origin.file("/changes.jpg", await jpegOf("red"));
    origin.file("/goes.jpg", await jpegOf("lime"));
    origin.file("/stays.jpg", await jpegOf("blue"));
    slow.on("/drips.jpg", (_, response) => {
      response.writeHead(200, { "Content-Type": "image/jpeg" });
      const timer = setInterval(() => response.write("."), 100);
      response.on("close", () => clearInterval(timer));
    });
    const drips = slow.url("/drips.jpg");
    const hang = async (url: string): Promise<void> =>
      expect(await ask(url)).toEqual({ status: 302, location: url, state: "queued" });
    for (const url of [drips, slow.url("/0.jpg"), slow.url("/1.jpg")]) await hang(url);
    for (const path of ["/changes.jpg", "/goes.jpg"]) await warm(origin.url(path));
    // All places hang now. When they are given up, the file of the other server goes before those that wait.
    for (let n = 2; n < 10; n++) await hang(slow.url(`/${n}.jpg`));
    await expect.poll(() => slow.openMax).toBe(REMOTE.atOnceMax);
    await warm(origin.url("/stays.jpg"));
    expect((await until(drips, ({ state }) => state === "unavailable")).location).toBe(drips);
  });

  it("whose file changes is asked for it again, and visitors get the new one", async () => {
    await new Promise((resolve) => setTimeout(resolve, QUEUE.builtMemoryMs));
    origin.file("/changes.jpg", await jpegOf("lime"));
    origin.on("/goes.jpg", (_, response) => void response.writeHead(410).end());
    const before = await ask(origin.url("/changes.jpg"));
    expect(await colourOf(before)).toBe("r");
    growOld();
    const after = await until(
      origin.url("/changes.jpg"),
      (seen) => isVariant(seen) && seen.location !== before.location,
    );
    expect(await colourOf(after)).toBe("g");
  });

  it("that confirms its file by its ETag sends it once", async () => {
    const asked = () => origin.requests.filter(({ path }) => path === "/stays.jpg");
    const before = await ask(origin.url("/stays.jpg"));
    while (asked().length === 1) {
      await ask(origin.url("/stays.jpg"));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(asked()[1]?.headers["if-none-match"]).toBeDefined();
    expect(await ask(origin.url("/stays.jpg"))).toEqual(before);
  });

  it("whose file is gone is no longer shown from here", async () => {
    const { pictures } = await remoteUsage();
    const url = origin.url("/goes.jpg");
    const gone = await until(url, ({ state }) => state === "unavailable");
    expect(gone.location).toBe(url);
    expect((await remoteUsage()).pictures).toBe(pictures - 1);
  });
});
