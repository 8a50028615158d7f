/** The words about lines that were put into a space. */
import type { Outcome } from "../form/command.ts";
import { plural } from "../base/plural.ts";
import type { PutResult } from "./put-lines.ts";

/** Lines that the words of the command name. */
const NAMED_MAX = 50;

export function outcomeOf(done: PutResult): Outcome {
  const { imported, unchanged, refused, missing } = done;
  const words = [
    `${plural(imported, "line")} imported, ${unchanged} there already, ${refused.length} refused.`,
    ...refused
      .slice(0, NAMED_MAX)
      .map(({ line, path, message }) => `line ${line}${path === "" ? "" : `, ${path}`}: ${message}`),
    ...(refused.length > NAMED_MAX ? [`… and ${refused.length - NAMED_MAX} more; --json lists all.`] : []),
    ...missing.map(({ id, reason }) => `Without its file: ${id} (${reason})`),
  ];
  return {
    json: done,
    words: `${words.join("\n")}\n`,
    exitCode: refused.length + missing.length > 0 ? 1 : 0,
  };
}
