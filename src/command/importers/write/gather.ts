/**
 * Gets the files of a site: out of the archive, or from their addresses. Each is kept beside the import with its SHA-256,
 * so that a run that was broken off, and a second run, fetch only the files that are missing.
 */
import { createHash, type Hash } from "node:crypto";
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { pipeline } from "node:stream/promises";
import { PrivateAddress } from "../../base/fetch-file.ts";
import type { World } from "../../base/world.ts";
import type { SiteAsset } from "../site.ts";
import { FILE_MAX_BYTES } from "../files/file-max.ts";
import { HEAD_BYTES, pictureType } from "./kinds.ts";

/** A file on this machine, as the line of a media item names it. */
export interface Gathered {
  path: string;
  sha256: string;
  sizeBytes: number;
  mime: string;
}

export interface Missing {
  reason: string;
  /** Whether another run may get it. A file that is no picture stays none. */
  mayComeLater: boolean;
}

/** The way to the servers that an export names. */
export interface Web {
  fetchFile: World["fetchFile"];
  /** Whether addresses of this machine and of private networks are fetched too. */
  isPrivateAllowed: boolean;
}

export interface GatheredFiles {
  files: Map<string, Gathered>;
  missing: Map<string, Missing>;
}

const FETCHES_AT_ONCE = 4;
const FETCH_MAX_MS = 120_000;
const NO_PICTURE: Missing = { reason: "the file is no picture", mayComeLater: false };
const TOO_LARGE: Missing = { reason: "the file is larger than 100 MB", mayComeLater: false };

/** The SHA-256, the size and the first bytes of a file that comes piece by piece. */
class Look {
  readonly #hash: Hash = createHash("sha256");
  #head: Buffer = Buffer.alloc(0);
  sizeBytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.sizeBytes += chunk.length;
    if (this.#head.length < HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, chunk]).subarray(0, HEAD_BYTES);
  }

  /** Yields what comes, until it is more than the service takes. */
  async *seen(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.add(chunk);
      if (this.sizeBytes > FILE_MAX_BYTES) return;
      yield chunk;
    }
  }

  /** Returns the facts of a whole file; the reason why it is none of the space's. */
  end(path: string): Gathered | Missing {
    const mime = pictureType(this.#head);
    if (mime === null) return NO_PICTURE;
    return { path, sha256: this.#hash.digest("hex"), sizeBytes: this.sizeBytes, mime };
  }
}

async function lookAt(path: string): Promise<Gathered | Missing> {
  const look = new Look();
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) look.add(chunk);
  return look.sizeBytes > FILE_MAX_BYTES ? TOO_LARGE : look.end(path);
}

const later = (reason: string): Missing => ({ reason, mayComeLater: true });

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

/** Fetches a file, and gives it its name once it is whole. */
async function fetchOne(
  address: string,
  path: string,
  { fetchFile, isPrivateAllowed }: Web,
): Promise<Gathered | Missing> {
  if (!/^https?:/i.test(address) || !URL.canParse(address))
    return later(`"${address}" is no address of the web`);
  const partial = `${path}.part`;
  try {
    const signal = AbortSignal.timeout(FETCH_MAX_MS);
    const answer = await fetchFile(address, { signal, isPrivateAllowed });
    if (!answer.ok || !answer.body) {
      await answer.body?.cancel();
      return later(`its server answered ${answer.status}`);
    }
    const look = new Look();
    await pipeline(look.seen(answer.body as AsyncIterable<Uint8Array>), createWriteStream(partial));
    if (look.sizeBytes > FILE_MAX_BYTES) return TOO_LARGE;
    renameSync(partial, path);
    return look.end(path);
  } catch (error) {
    if (error instanceof PrivateAddress) return later(error.message);
    return later(`it could not be fetched (${reasonOf(error)})`);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** The files that earlier runs have fetched. */
class Fetched {
  readonly #path: string;
  readonly #known = new Map<string, Gathered>();

  constructor(folder: string) {
    this.#path = `${folder}/fetched.ndjson`;
    const lines = existsSync(this.#path) ? readFileSync(this.#path, "utf8").split("\n") : [];
    for (const line of lines) {
      try {
        const { id, ...file } = JSON.parse(line) as Gathered & { id: string };
        if (existsSync(file.path)) this.#known.set(id, file);
      } catch {
        // The last line of a run that was killed may be cut off.
      }
    }
  }

  get(id: string): Gathered | undefined {
    return this.#known.get(id);
  }

  add(id: string, file: Gathered): void {
    appendFileSync(this.#path, `\n${JSON.stringify({ id, ...file })}\n`);
  }
}

/** Gets all files that the source calls pictures. @param done is told of each file that was looked for */
export async function gatherFiles(
  assets: readonly SiteAsset[],
  folder: string,
  web: Web,
  done: (asset: SiteAsset) => void,
): Promise<GatheredFiles> {
  mkdirSync(`${folder}/fetched`, { recursive: true });
  const fetched = new Fetched(folder);
  const gathered: GatheredFiles = { files: new Map(), missing: new Map() };
  const waiting = assets.filter(({ isPicture }) => isPicture);
  const getOne = async (asset: SiteAsset): Promise<Gathered | Missing> => {
    if (asset.path !== undefined)
      return existsSync(asset.path) ? lookAt(asset.path) : later("the export does not hold it");
    const known = fetched.get(asset.id);
    if (known) return known;
    const file = await fetchOne(asset.address, `${folder}/fetched/${asset.id}`, web);
    if ("sha256" in file) fetched.add(asset.id, file);
    return file;
  };
  const work = async (): Promise<void> => {
    for (let asset = waiting.shift(); asset; asset = waiting.shift()) {
      const file = await getOne(asset);
      if ("sha256" in file) gathered.files.set(asset.id, file);
      else gathered.missing.set(asset.id, file);
      done(asset);
    }
  };
  await Promise.all(Array.from({ length: FETCHES_AT_ONCE }, work));
  return gathered;
}
