/** `silverprint import --backup ID`: puts a backup into a space. */
import { createWriteStream, openAsBlob } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { EndLine, ImportLine, ImportSource, MediaFacts } from "../../exchange/lines.ts";
import type { Context, Outcome } from "../form/command.ts";
import { Failure } from "../base/failure.ts";
import { Service } from "../service/service.ts";
import { linesOf } from "./folder.ts";
import { outcomeOf } from "./outcome.ts";
import { putLines } from "./put-lines.ts";

/** Reads a path below a backup. */
type Read = (path: string, query?: Record<string, number>) => Promise<Response>;

interface Reader {
  read: Read;
  first: Response;
  /** Lists the backups, of the space or of all. */
  list: () => AsyncIterable<ListedBackup>;
}

interface ListedBackup {
  id: string;
  lines: number;
}

const NOT_FOUND = 404;

/** Finds a backup among those of the space, and else among all, which only the root token reads. */
async function readerOf(own: Service, all: Service, id: string): Promise<Reader> {
  const name = encodeURIComponent(id);
  const ofSpace: Read = (path, query = {}) => own.request("GET", `/backups/${name}${path}`, { query });
  const ofAll: Read = (path, query = {}) => all.request("GET", `/${name}${path}`, { query });
  try {
    const first = await ofSpace("/lines", { part: 1 });
    return { read: ofSpace, first, list: () => own.list("/backups") };
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== NOT_FOUND) throw error;
  }
  try {
    return { read: ofAll, first: await ofAll("/lines", { part: 1 }), list: () => all.list("") };
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.status === null) throw cause;
    throw new Failure(`The space has no backup ${id}.`, {
      next: "Give the root token as --key: with it, a backup of another space, or of a removed one, is restored too.",
      cause,
    });
  }
}

async function* linesOfParts(read: Read, first: Response): AsyncGenerator<ImportLine> {
  let answer = first;
  for (;;) {
    let end: EndLine | null = null;
    for await (const text of linesOf(answer.body as unknown as AsyncIterable<Uint8Array>)) {
      if (text === "") continue;
      const line = JSON.parse(text) as ImportLine | EndLine;
      if (line.kind === "end") end = line;
      else yield line;
    }
    if (!end) throw new Failure("The backup broke off.", { next: "Run the command again." });
    if (end.nextCursor === null) return;
    answer = await read("/lines", { part: Number(end.nextCursor) });
  }
}

/** Returns how many lines a backup has, for a bar. */
async function lineCountOf({ list }: Reader, id: string): Promise<number> {
  for await (const one of list()) if (one.id === id) return one.lines;
  return 0;
}

/** Puts a backup into the space. A file stands in a folder of the system for as long as it is sent. */
export async function importBackup(
  { world, output, connect }: Pick<Context, "world" | "output" | "connect">,
  { id, isOverwriting }: { id: string; isOverwriting: boolean },
): Promise<Outcome> {
  const service = await connect();
  const all = new Service({ ...service.place, space: "backups" }, world);
  const reader = await readerOf(service, all, id);
  const { read, first } = reader;
  const folder = await mkdtemp(join(tmpdir(), "silverprint-"));
  const pathOf = ({ id: item, masterVersion }: MediaFacts): string =>
    join(folder, `${item}-${masterVersion}`);
  const file = async (media: MediaFacts): Promise<Blob> => {
    const path = pathOf(media);
    const { body } = await read(`/masters/${media.id}/${media.masterVersion}`);
    await pipeline(Readable.fromWeb(body as WebStream), createWriteStream(path));
    return openAsBlob(path);
  };
  const release = (media: MediaFacts): Promise<void> => rm(pathOf(media), { force: true });
  const source: ImportSource = { lines: () => linesOfParts(read, first), file, release };
  const bar = output.progress("Restoring", output.isInteractive ? await lineCountOf(reader, id) : 0);
  try {
    const done = await putLines(service, source, {
      isOverwriting,
      onProgress: (lines) => bar.advance(lines),
    });
    bar.end("The lines are sent.");
    return outcomeOf(done);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
