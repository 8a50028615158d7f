/** `silverprint export DIR`: the lines of a space, and its masters, each checked by its SHA-256. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EndLine, MediaFacts } from "../../exchange/lines.ts";
import { defineCommand, type Context } from "../form/command.ts";
import { Failure } from "../base/failure.ts";
import { countOf } from "../base/count.ts";
import { plural } from "../base/plural.ts";
import { releaseMemory, REQUEST_BYTES } from "../base/memory.ts";
import { isOfSystem } from "../base/system-error.ts";
import type { World } from "../base/world.ts";
import type { Service } from "../service/service.ts";
import { ExportFolder, linesOf, mediaOfLine, nameOfMaster, type ExportState } from "./folder.ts";
import { sideBySide } from "./side-by-side.ts";

const DOWNLOADS_MAX = 4;
/** Tries of a page or a master that breaks off. */
const TRIES_MAX = 5;
/** The pause after the first try. It grows with each. */
const PAUSE_MS = 500;

/** Lines are written together: a call of the system for each would take longer than all else. */
const WRITE_CHARACTERS = 65_536;

type Body = AsyncIterable<Uint8Array>;

/** Writes one page behind the others. @returns the state behind it */
async function writePage(service: Service, folder: ExportFolder, state: ExportState): Promise<ExportState> {
  const query = state.cursor === null ? {} : { cursor: state.cursor };
  const answer = await service.request("GET", "/export", { query });
  const file = await folder.openLines(state.bytes);
  let [bytes, lines, waiting] = [state.bytes, state.lines, ""];
  let end: EndLine | null = null;
  const write = async (): Promise<void> => {
    let left = Buffer.from(waiting);
    waiting = "";
    // A nearly full disk may take a part.
    while (left.length > 0) {
      const { bytesWritten } = await file.write(left, 0, left.length, bytes);
      bytes += bytesWritten;
      left = left.subarray(bytesWritten);
    }
  };
  try {
    for await (const line of linesOf(answer.body as unknown as Body)) {
      if (line.startsWith('{"kind":"end"')) {
        end = JSON.parse(line) as EndLine;
        continue;
      }
      waiting += `${line}\n`;
      lines += 1;
      if (waiting.length >= WRITE_CHARACTERS) await write();
    }
    await write();
    await file.sync();
  } finally {
    await file.close();
  }
  if (!end) throw new Error("it broke off before its end");
  return { ...state, bytes, lines, cursor: end.nextCursor, changed: end.changed ?? [] };
}

/**
 * Does work that the network may break off, and does it again after a pause. @param of the subject of the error: "A page"
 * @throws Failure after the last try
 */
async function patiently<T>({ sleep }: Pick<World, "sleep">, of: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      // A fault of the file system stays one.
      if (error instanceof Failure || isOfSystem(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (tries >= TRIES_MAX)
        throw new Failure(`${of} could not be fetched: ${reason}.`, {
          next: "Run the command again: it goes on where it stopped.",
          cause: error,
        });
    }
    await sleep(PAUSE_MS * tries);
  }
}

/** Returns the state in which a run begins: that of one that was broken off, or a new one. */
async function beginning(service: Service, folder: ExportFolder): Promise<ExportState> {
  const { base, space } = service.place;
  const of = `${base}/${space}`;
  const before = await folder.state();
  if (before && before.of !== of) {
    throw new Failure(`The folder has an export of ${before.of}.`, { next: "Export to another folder." });
  }
  if (!before && (await folder.hasMasters()))
    throw new Failure("The folder has files in masters/ that are not of an export.", {
      next: "Export to another folder.",
    });
  if (before && !before.isEnded) return before;
  return { of, cursor: null, bytes: 0, lines: 0, changed: [], isEnded: false };
}

/** Writes all lines, from where an earlier run has stopped. @returns the state behind the last */
async function writeLines(
  { output, world }: Pick<Context, "output" | "world">,
  service: Service,
  folder: ExportFolder,
): Promise<ExportState> {
  let state = await beginning(service, folder);
  const bar = output.work("Lines");
  while (state.lines === 0 || state.cursor !== null) {
    const from = state;
    state = await patiently(world, "A page of the export", () => writePage(service, folder, from));
    await folder.setState(state);
    releaseMemory(REQUEST_BYTES);
    const words = plural(state.lines, "line");
    bar.advance(1, words);
    if (!output.isInteractive) output.note(words);
  }
  bar.end("The lines are here.");
  await folder.takeLines();
  return state;
}

/** Fetches a master, and checks its bytes while they pass. @throws Error for other bytes */
async function fetchMaster(service: Service, folder: ExportFolder, media: MediaFacts): Promise<void> {
  const answer = await service.request("GET", `/export/masters/${media.id}/${media.masterVersion}`);
  const hash = createHash("sha256");
  const path = folder.masterPath(media);
  const hashing = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(Readable.from(answer.body as unknown as Body), hashing, createWriteStream(`${path}.part`));
  if (hash.digest("hex") !== media.sha256)
    throw new Error(`${media.id} came with other bytes than its SHA-256 says`);
  await rename(`${path}.part`, path);
}

async function* mediaOf(folder: ExportFolder): AsyncGenerator<MediaFacts> {
  for await (const line of folder.lines()) {
    const media = mediaOfLine(line);
    if (media) yield media;
  }
}

export const exportCommand = defineCommand({
  name: "export",
  summary: "copy the whole space to a folder",
  description:
    "Writes export.ndjson with everything of the space but keys and secrets, and the masters of its media, each checked by " +
    "its SHA-256. A run that broke goes on where it stopped. In the folder of an earlier export it makes a new one, and " +
    "fetches the masters alone that are not there yet.",
  args: [{ name: "dir", description: "the folder, which is made", isRequired: true }],
  options: {},
  examples: [{ line: "export backup-2026-11", does: "copies the space to a folder" }],
  async run({ args, world, output, connect }) {
    const folder = new ExportFolder(resolve(world.cwd, args["dir"] ?? "."));
    const service = await connect();
    await folder.make();
    const state = await writeLines({ output, world }, service, folder);
    const { lines, changed } = state;
    const failed: { id: string; reason: string }[] = [];
    const masters = new Set<string>();
    const bar = output.progress("Masters", await countOf(mediaOf(folder)));
    await sideBySide(mediaOf(folder), DOWNLOADS_MAX, async (media) => {
      try {
        if (!(await folder.holds(media)))
          await patiently(world, "The file", () => fetchMaster(service, folder, media));
        masters.add(nameOfMaster(media));
      } catch (error) {
        if (isOfSystem(error)) throw error;
        failed.push({ id: media.id, reason: error instanceof Error ? error.message : String(error) });
      }
      bar.advance(1);
      releaseMemory(REQUEST_BYTES + media.sizeBytes);
    });
    await folder.keepMasters(masters);
    await folder.setState({ ...state, isEnded: true });
    bar.end("The masters are here.");
    const words = [
      `${plural(lines, "line")} and ${plural(masters.size, "master")} are in ${args["dir"] ?? "."}.`,
      ...(changed.length > 0
        ? [
            `${plural(changed.length, "item")} changed during the export: their lines may be of different times.`,
          ]
        : []),
      ...failed.map(({ id, reason }) => `Without its file: ${id} (${reason})`),
    ];
    return {
      json: { lines, masters: masters.size, changed, failed },
      words: `${words.join("\n")}\n`,
      exitCode: failed.length > 0 ? 1 : 0,
    };
  },
});
