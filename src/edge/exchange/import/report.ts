/** Counts what an import does with each line, and lists the lines that it does not take. */
import { ApiError, type ErrorDetail } from "../../../errors.ts";
import { EXCHANGE } from "../../../limits.ts";
import { isGuardFailure } from "../../storage/database/guard.ts";
import type { ImportResult } from "../../../exchange/lines.ts";

export const DIFFERS = "DIFFERS";
const CHANGED = "the model or the locales changed meanwhile. Send the line again";

export class Report {
  readonly #refused: ImportResult["refused"] = [];
  readonly #waiting = new Map<string, string>();
  /** Ids of what was written, which exports at the same time name. */
  readonly written: string[] = [];
  #imported = 0;
  #unchanged = 0;

  imported(id: string, lines = 1): void {
    this.#imported += lines;
    this.written.push(id);
  }

  unchanged(): void {
    this.#unchanged += 1;
  }

  waits(id: string, sha256: string): void {
    this.#waiting.set(id, sha256);
  }

  refuse(line: number, path: string, message: string): void {
    this.#refused.push({
      line,
      path: path.slice(0, EXCHANGE.pathMaxCharacters).toWellFormed(),
      message: message.slice(0, EXCHANGE.messageMaxCharacters).toWellFormed(),
    });
  }

  /** Lists a line that stands against what the space holds. */
  differs(line: number, path: string, what: string): void {
    this.refuse(line, path, `${DIFFERS}: ${what}`);
  }

  /** Lists the faults of one line: the first of them, and how many others there are. */
  refuseAll(line: number, details: readonly ErrorDetail[], prefix = ""): void {
    const [first] = details;
    if (!first) {
      this.refuse(line, prefix, "does not fit");
      return;
    }
    const path = [prefix, first.path].filter((part) => part !== "").join(".");
    const others = details.length > 1 ? ` (and ${details.length - 1} more faults)` : "";
    this.refuse(line, path, `${first.message}${others}`);
  }

  /**
   * Lists an error of the API as the fault of a line, or that a batch was refused because what it was checked against had
   * changed. @throws any other error
   */
  refuseError(line: number, error: unknown, prefix = ""): void {
    if (isGuardFailure(error)) this.refuse(line, "", CHANGED);
    else if (!(error instanceof ApiError)) throw error;
    else if (error.details?.length) this.refuseAll(line, error.details, prefix);
    else this.refuse(line, prefix, error.message);
  }

  result(): ImportResult {
    return {
      imported: this.#imported,
      unchanged: this.#unchanged,
      refused: this.#refused.sort((a, b) => a.line - b.line),
      waiting: [...this.#waiting].map(([id, sha256]) => ({ id, sha256 })),
    };
  }
}
