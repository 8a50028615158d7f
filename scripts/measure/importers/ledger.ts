/** The facts that were compared, and small helpers of those who compare. */

export interface Comparison {
  lines: string[];
  faults: string[];
}

export type Json = Record<string, unknown>;

/** Counts what was compared, and collects the faults. */
export class Ledger {
  readonly #counts = new Map<string, number>();
  readonly faults: string[] = [];

  check(what: string, isRight: boolean, place: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    if (!isRight) this.faults.push(`${what}: ${place}`);
  }

  result(): Comparison {
    return {
      lines: [...this.#counts].map(([what, count]) => `${what}: ${count} compared`),
      faults: this.faults,
    };
  }
}

export const linesOf = (text: string): Json[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Json);

export const holds = (record: Json | undefined, id: string | undefined): boolean =>
  record !== undefined && id !== undefined && JSON.stringify(record).includes(`"${id}"`);

/** Visits every object in a value. */
export function visit(value: unknown, see: (object: Json) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) see(value as Json);
  for (const member of Object.values(value)) visit(member, see);
}
