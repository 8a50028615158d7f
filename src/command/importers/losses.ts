/** The losses of a move: everything of the source that does not come along, or not in the same form. */
import { openSync, writeSync, closeSync } from "node:fs";

/** The places of one reason that are kept in memory. All of them stand in the file. */
const SHOWN_PLACES = 10;

export interface Loss {
  /** The thing that is lost or changed, and why. */
  reason: string;
  count: number;
  /** The first places: a model, a record and a field. */
  places: string[];
}

export class Losses {
  readonly #byReason = new Map<string, Loss>();
  readonly #file: number | null;

  /** @param path of a file that gets every single loss as a line */
  constructor(path?: string) {
    this.#file = path === undefined ? null : openSync(path, "w");
  }

  add(reason: string, place: string): void {
    let loss = this.#byReason.get(reason);
    if (!loss) this.#byReason.set(reason, (loss = { reason, count: 0, places: [] }));
    loss.count += 1;
    if (loss.places.length < SHOWN_PLACES) loss.places.push(place);
    if (this.#file !== null) writeSync(this.#file, `${reason}\t${place.replaceAll(/\s+/g, " ")}\n`);
  }

  /** Lists the losses, in the order of their reasons. */
  list(): Loss[] {
    return [...this.#byReason.values()].sort((a, b) => (a.reason < b.reason ? -1 : 1));
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }
}
