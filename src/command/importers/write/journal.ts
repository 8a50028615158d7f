/**
 * The things that a run must know of one that was killed before it: the media that came since the records were written, and
 * the records that were about to be removed and brought in anew. They stand beside the import until a run ends well.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { PublishedLine, RecordLine } from "../../../exchange/lines.ts";

export class Journal {
  readonly #media: string;
  readonly #records: string;

  constructor(folder: string) {
    this.#media = `${folder}/media.txt`;
    this.#records = `${folder}/records.ndjson`;
  }

  /** Returns the media that any run has put into the space, so that records of an earlier one may lack them. */
  media(): Set<string> {
    const text = existsSync(this.#media) ? readFileSync(this.#media, "utf8") : "";
    return new Set(text.split("\n").filter((id) => id !== ""));
  }

  /** Notes a media item. It is noted before its file is sent, since a note too many does no harm. */
  addMedia(id: string): void {
    appendFileSync(this.#media, `\n${id}\n`);
  }

  /** Returns the lines of records that a killed run may have removed. */
  records(): (RecordLine | PublishedLine)[] {
    if (!existsSync(this.#records)) return [];
    const lines = readFileSync(this.#records, "utf8").split("\n");
    return lines.map((line) => JSON.parse(line) as RecordLine | PublishedLine);
  }

  /** Notes records that are about to be removed, in one step. */
  setRecords(lines: readonly (RecordLine | PublishedLine)[]): void {
    writeFileSync(`${this.#records}.new`, lines.map((line) => JSON.stringify(line)).join("\n"));
    renameSync(`${this.#records}.new`, this.#records);
  }

  forgetRecords(): void {
    rmSync(this.#records, { force: true });
  }
}
