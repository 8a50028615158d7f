/**
 * The folder of an export: `export.ndjson`, the masters, and how far an export has come. The lines of a run stand in
 * `export.ndjson.part` until all are here, so `export.ndjson` is always whole: that of an earlier run, or of this one.
 */
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHash } from "node:crypto";
import type { MediaFacts } from "../../exchange/lines.ts";
import { releaseMemory } from "../base/memory.ts";

const LINES = "export.ndjson";
const STATE = "state.json";
const MASTERS = "masters";
/** The name of a master, or of one that was not fetched whole. */
const OF_MASTER = /^[0-9A-Z]{26}-\d+(?:\.part)?$/;

export interface ExportState {
  /** The service and the space that the lines are of. */
  of: string;
  /** Where the next page begins; null when all lines are here. */
  cursor: string | null;
  /** The bytes of the pages that are whole. */
  bytes: number;
  lines: number;
  /** Ids that were written while the export was made. */
  changed: string[];
  /** Whether a run has come to its end: the next one makes a new export. */
  isEnded: boolean;
}

export class ExportFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get linesPath(): string {
    return join(this.#path, LINES);
  }

  get #partPath(): string {
    return `${this.linesPath}.part`;
  }

  async make(): Promise<void> {
    await mkdir(join(this.#path, MASTERS), { recursive: true });
  }

  /** Returns how far an earlier run has come; null for none. */
  async state(): Promise<ExportState | null> {
    const text = await readFile(join(this.#path, STATE), "utf8").catch(() => null);
    return text === null ? null : (JSON.parse(text) as ExportState);
  }

  /** Makes the lines of a run those of the folder, once its state says that all are here. May be called again. */
  async takeLines(): Promise<void> {
    await rename(this.#partPath, this.linesPath).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    });
  }

  /** Returns whether there are files where masters come. */
  async hasMasters(): Promise<boolean> {
    return (await readdir(join(this.#path, MASTERS))).length > 0;
  }

  /**
   * Removes the masters whose names are not in a set: those of items that the space does not have any more. Files that no
   * export has written stay.
   */
  async keepMasters(names: ReadonlySet<string>): Promise<void> {
    const masters = join(this.#path, MASTERS);
    for (const entry of await readdir(masters, { withFileTypes: true })) {
      if (entry.isFile() && OF_MASTER.test(entry.name) && !names.has(entry.name))
        await rm(join(masters, entry.name));
    }
  }

  /** Writes the state in one step, so that a run that is killed leaves the one before. */
  async setState(state: ExportState): Promise<void> {
    const path = join(this.#path, STATE);
    await writeFile(`${path}.new`, JSON.stringify(state));
    await rename(`${path}.new`, path);
  }

  /** Returns the path of a master. */
  masterPath(media: Pick<MediaFacts, "id" | "masterVersion">): string {
    return join(this.#path, MASTERS, nameOfMaster(media));
  }

  /** Returns whether a master is here, whole and unchanged. */
  async holds(media: MediaFacts): Promise<boolean> {
    const path = this.masterPath(media);
    const size = await stat(path).then(
      (found) => found.size,
      () => -1,
    );
    return size === media.sizeBytes && (await sha256Of(path)) === media.sha256;
  }

  /** Yields the lines one by one, without their ends. */
  async *lines(): AsyncGenerator<string> {
    yield* linesOf(createReadStream(this.linesPath));
  }

  /** Opens the lines of a run to write behind the first `bytes`, and removes what stands behind them. */
  async openLines(bytes: number) {
    const file = await open(this.#partPath, bytes === 0 ? "w" : "r+");
    await file.truncate(bytes);
    return file;
  }
}

export const nameOfMaster = ({ id, masterVersion }: Pick<MediaFacts, "id" | "masterVersion">): string =>
  `${id}-${masterVersion}`;

/** Yields the lines of a stream of bytes. A line is never split, wherever the chunks end. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      yield parts.join("") + piece;
      parts = [];
    }
    if (last !== "") parts.push(last);
    releaseMemory(chunk.length);
  }
  const rest = parts.join("");
  if (rest !== "") yield rest;
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

/** Returns the media item that a line is of, in the trash or not; null for any other line. */
export function mediaOfLine(line: string): MediaFacts | null {
  if (!line.startsWith('{"kind":"media"') && !line.startsWith('{"kind":"trash","of":"media"')) return null;
  return JSON.parse(line) as MediaFacts;
}
