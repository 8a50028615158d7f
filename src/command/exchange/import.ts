/** `silverprint import DIR`: puts an export into a space. */
import { openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import type { ImportLine, ImportSource } from "../../exchange/lines.ts";
import type { Context, Outcome } from "../form/command.ts";
import { Failure } from "../base/failure.ts";
import { ExportFolder } from "./folder.ts";
import { outcomeOf } from "./outcome.ts";
import { putLines } from "./put-lines.ts";

/** Yields the lines of a folder. @throws Failure with the number of a line that is no JSON */
async function* importLinesOf(folder: ExportFolder): AsyncGenerator<ImportLine> {
  let number = 0;
  for await (const text of folder.lines()) {
    number += 1;
    if (text === "") continue;
    let line: ImportLine;
    try {
      line = JSON.parse(text) as ImportLine;
    } catch (cause) {
      throw new Failure(`Line ${number} of ${folder.linesPath} is no JSON.`, {
        next: "The file is damaged or was cut off. Make the export again with: silverprint export DIR",
        cause,
      });
    }
    yield line;
  }
}

/** Returns a folder as a source of lines and files. */
export const sourceOf = (folder: ExportFolder): ImportSource => ({
  lines: () => importLinesOf(folder),
  file: (media) => openAsBlob(folder.masterPath(media)).catch(() => null),
});

/** Puts the folder of an export into the space. */
export async function importFolder(
  { world, output, connect }: Pick<Context, "world" | "output" | "connect">,
  { dir, isOverwriting }: { dir: string; isOverwriting: boolean },
): Promise<Outcome> {
  const folder = new ExportFolder(resolve(world.cwd, dir));
  const state = await folder.state();
  await access(folder.linesPath).catch((cause: unknown) => {
    const fault = state ? `The export in ${dir} is unfinished.` : `${dir} has no export.ndjson.`;
    throw new Failure(fault, {
      next: `${state ? "End it" : "Make one"} with: silverprint export ${dir}`,
      cause,
    });
  });
  if (state?.cursor !== null && state !== null)
    output.note("A newer export into this folder is unfinished. The one before it is imported.");
  const service = await connect();
  const bar = output.progress("Importing", state?.lines ?? 0);
  const done = await putLines(service, sourceOf(folder), {
    isOverwriting,
    onProgress: (lines) => bar.advance(lines),
  });
  bar.end("The lines are sent.");
  return outcomeOf(done);
}
