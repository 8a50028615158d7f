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
  /** The pictures that the app's pages show. Each page has addresses of its own, so that its first visitor comes first. */
  pages: RemotePicture[][];
}

async function files(): Promise<Buffer[]> {
  if (PHOTOGRAPHS === undefined) return Promise.all([photoMaster("jpeg", 2), photoMaster("jpeg", 1)]);
  const names = readdirSync(PHOTOGRAPHS).filter((name) => /\.jpe?g$/i.test(name));
  return names
    .sort()
    .slice(0, 2)
    .map((name) => readFileSync(join(PHOTOGRAPHS, name)));
}

/** Starts a server with two photographs at the addresses of several pages, and makes a space that may serve them. */
export async function startRemote(pageCount: number): Promise<RemoteSite> {
  const service = inject("frameworks").service;
  const origin = await OriginServer.start();
  const space = await newSpace(service);
  const body = JSON.stringify({ origins: [origin.base] });
  const headers = { ...bearer(space.key), "Content-Type": "application/json" };
  await json(await fetch(`${space.api}/settings`, { method: "PATCH", headers, body }));
  const [hero, card] = await files();
  const photographs = Object.entries({ hero, card }) as ["hero" | "card", Buffer][];
  const pages: RemotePicture[][] = [];
  for (let page = 0; page < pageCount; page++) {
    const pictures: RemotePicture[] = [];
    for (const [name, file] of photographs) {
      // A query, because servers of pictures have them, and each framework writes it in its own way.
      const path = `/photos/${name}.jpg?v=${page}&crop=none`;
      origin.file(path, file, { "Content-Type": "image/jpeg", "Cache-Control": "max-age=86400" });
      const { width, height } = await sharp(file).metadata();
      pictures.push({ name, src: origin.url(path), width, height, file });
    }
    pages.push(pictures);
  }
  return { origin, base: space.api, pages };
}

/** Where the pictures of a build come from: the framework's optimizer, their own server, or the service. */
export type Way = "framework" | "originals" | "service";

/**
 * Puts the app's remote pages in the place of its own. Its pages are built by the framework's optimizer at each address
 * of a picture, some of them at once, so that only one page is built with it.
 */
export function useRemotePages(app: App, name: string, remote: RemoteSite, way: Way): void {
  for (const own of ["app", "src"]) rmSync(join(app.folder, own), { recursive: true, force: true });
  cpSync(join(APPS, `${name}-remote`), app.folder, { recursive: true });
  const pages = way === "framework" ? remote.pages.slice(0, 1) : remote.pages;
  const settings = {
    base: way === "service" ? remote.base : null,
    isUnoptimized: way === "originals",
    origin: remote.origin.base,
    pages: pages.map((pictures) => pictures.map(({ src, width, height }) => ({ src, width, height }))),
  };
  writeFileSync(join(app.folder, "remote.json"), JSON.stringify(settings));
}
