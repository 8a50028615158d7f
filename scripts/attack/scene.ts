/** The space and client of an attack, and the steps that several attacks share. */
import type { Space } from "../harness/api.ts";
import { call, pause, type Answered, type Call } from "./caller.ts";
import { outcomeOf, type Outcomes } from "./outcomes.ts";

export interface Scene {
  /** A space of this attack alone, in which it may write. */
  space: Space;
  /** A key of the role `read` in the same space. */
  readKey: string;
  /** The address of this attack's client, which no other attack and no visitor has. */
  address: string;
  victim: Space;
  /** A public picture of the victim. */
  victimPicture: string;
  outcomes: Outcomes;
  /** Ends the attack. */
  until: AbortSignal;
}

export interface Attack {
  /** The row of the list of attacks, and the action that is tried. */
  name: string;
  /** Makes what the attack needs, before the clock starts. */
  prepare?: (scene: Scene) => Promise<void>;
  /** Goes on until the signal aborts. */
  run: (scene: Scene) => Promise<void>;
}

/** Between two calls of one line, so that the client does not use up the processor. */
const PAUSE_MS = 20;

/** Calls one after the other, in several lines at once, until the end. */
export async function repeat(
  { until }: Scene,
  linesAtOnce: number,
  next: (n: number) => Promise<unknown>,
): Promise<void> {
  let calls = 0;
  const line = async (): Promise<void> => {
    while (!until.aborted) {
      await next(calls++);
      await pause(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: linesAtOnce }, line));
}

/** Makes a call as the attack's client and notes what came of it, or that the attack had ended by then. */
export async function attempt(
  { address, outcomes, until }: Scene,
  what: string,
  url: string,
  options: Call = {},
): Promise<Answered> {
  const answer = await call(url, { from: address, ...options });
  outcomes.add(what, until.aborted ? "after the end" : outcomeOf(answer), answer.ms);
  return answer;
}

export const writing = ({ space }: Scene, method: string, body: Call["body"]): Call => ({
  ...{ method, key: space.key },
  ...(body !== undefined && { body }),
});
