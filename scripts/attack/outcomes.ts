/** The outcomes of an attacker's calls: how often each answer came, and how long the slowest took. */
import { ms } from "../bench/figures.ts";
import type { Answered } from "./caller.ts";

interface Line {
  /** How many times each outcome came, in the order in which it first did. */
  counts: Map<string, number>;
  slowestMs: number;
}

/** Returns the status with the code of an error or the state of a picture: "400 SVG_REJECTED", "302 queued". */
export function outcomeOf({ status, state, body }: Answered): string {
  if (status === 0) return body.slice(0, 120);
  if (state !== null) return `${status} ${state}`;
  const code = status < 400 ? undefined : /"code":"(\w+)"/.exec(body)?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}

export class Outcomes {
  readonly #lines = new Map<string, Line>();

  /** @param what the file or the step of the attack that was answered */
  add(what: string, outcome: string, tookMs: number): void {
    const line = this.#lines.get(what) ?? { counts: new Map<string, number>(), slowestMs: 0 };
    this.#lines.set(what, line);
    line.counts.set(outcome, (line.counts.get(outcome) ?? 0) + 1);
    line.slowestMs = Math.max(line.slowestMs, tookMs);
  }

  /** Returns the rows of a table: the name of the attack, the outcomes with their number, the slowest. */
  rows(): string[][] {
    if (this.#lines.size === 0) return [["", "nothing was answered", ""]];
    return [...this.#lines].map(([what, { counts, slowestMs }]) => [
      what,
      [...counts].map(([outcome, count]) => `${outcome} × ${count}`).join(", "),
      ms(slowestMs),
    ]);
  }
}
