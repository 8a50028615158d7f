/**
 * A file beside the import that holds what was read of the source, one JSON value a line, so that records are read again
 * in any order while memory holds no more than their places.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** The place of a value in the file. */
export interface Place {
  at: number;
  bytes: number;
}

export class Spool {
  readonly #file: number;
  #end = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w+");
  }

  add(value: unknown): Place {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    const place = { at: this.#end, bytes: line.length };
    writeSync(this.#file, line, 0, line.length, this.#end);
    this.#end += line.length;
    return place;
  }

  read({ at, bytes }: Place): unknown {
    const line = Buffer.alloc(bytes);
    readSync(this.#file, line, 0, bytes, at);
    return JSON.parse(line.toString("utf8"));
  }

  close(): void {
    closeSync(this.#file);
  }
}
