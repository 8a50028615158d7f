/** Pictures of another server in an app: the server, the space that may serve them, and the app's two builds. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { inject } from "vitest";
import { photoMaster } from "../../../scripts/bench/masters/photographs.ts";
import { bearer, json, newSpace } from "../../../scripts/harness/api.ts";
import { OriginServer } from "../../support/remote/origin-server.ts";
import type { App } from "./app.ts";

const APPS = fileURLToPath(new URL("..", import.meta.url));
/** A folder of photographs, for a measurement with real ones; the pictures of the bench are drawn. */
const PHOTOGRAPHS = process.env["PHOTOGRAPHS"];

export interface RemotePicture {
  name: "hero" | "card";
  src: string;
  width: number;
  height: number;
  file: Buffer;
}

export interface RemoteSite {
  origin: OriginServer;
  /** The service and the space, the one address that an app sets. */
  base: string;
  pictures: RemotePicture[];
  /**
   * Has the service forget all pictures, so that the next visitor comes first.
   * @param isKnown whether it has them; only one that no visitor has asked for may be missing
   */
  forget(pictures: { isKnown: boolean }): Promise<void>;
}

async function files(): Promise<Buffer[]> {
  if (PHOTOGRAPHS === undefined) return Promise.all([photoMaster("jpeg", 2), photoMaster("jpeg", 1)]);
  const names = readdirSync(PHOTOGRAPHS).filter((name) => /\.jpe?g$/i.test(name));
  return names
    .sort()
    .slice(0, 2)
    .map((name) => readFileSync(join(PHOTOGRAPHS, name)));
}

/** Starts a server with two photographs, and makes a space that may serve them. */
export async function startRemote(): Promise<RemoteSite> {
  const service = inject("frameworks").service;
  const origin = await OriginServer.start();
  const space = await newSpace(service);
  const body = JSON.stringify({ origins: [origin.base] });
  const headers = { ...bearer(space.key), "Content-Type": "application/json" };
  await json(await fetch(`${space.api}/settings`, { method: "PATCH", headers, body }));
  const [hero, card] = await files();
  const pictures: RemotePicture[] = [];
  for (const [name, file] of Object.entries({ hero, card }) as ["hero" | "card", Buffer][]) {
    // A query, because servers of pictures have them, and each framework writes it in its own way.
    const path = `/photos/${name}.jpg?v=1&crop=none`;
    origin.file(path, file, { "Content-Type": "image/jpeg", "Cache-Control": "max-age=86400" });
    const { width, height } = await sharp(file).metadata();
    pictures.push({ name, src: origin.url(path), width, height, file });
  }
  const forget: RemoteSite["forget"] = async ({ isKnown }) => {
    for (const { src } of pictures) {
      const { status } = await fetch(`${space.api}/remote?url=${encodeURIComponent(src)}`, {
        method: "DELETE",
        headers: bearer(space.key),
      });
      if (status !== (isKnown ? 200 : 404)) throw new Error(`${src} was not forgotten: ${status}`);
    }
  };
  return { origin, base: space.api, pictures, forget };
}

/** Puts the app's remote page in the place of its own, with the base address, or with none: the framework's own way. */
export function useRemotePage(
  app: App,
  name: string,
  { origin, pictures }: RemoteSite,
  base: string | null,
): void {
  for (const own of ["app", "src"]) rmSync(join(app.folder, own), { recursive: true, force: true });
  cpSync(join(APPS, `${name}-remote`), app.folder, { recursive: true });
  const shown = pictures.map(({ src, width, height }) => ({ src, width, height }));
  writeFileSync(
    join(app.folder, "remote.json"),
    JSON.stringify({ base, origin: origin.base, pictures: shown }),
  );
}
