/** Measures the time and memory of all sides of one piece of work, in turns and on one core. */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "../figures.ts";
import type { Answer, Done, Order } from "./side-process.ts";
import { SIDES, type Line, type Side, workOf } from "./works.ts";

export interface Measured {
  ms: number;
  computedMs: number;
  /** The figures of the first run of the process. */
  grownBytes: number;
}

/** The outcome of each side; a text says why a side cannot do the work. */
export type Results = Partial<Record<Side, Measured | string>>;

/** The rounds after the warm-up are so many that sharp takes about this time, within bounds. */
const SHARP_MS = 3000;
const ROUNDS = { min: 5, max: 25 };
/** Runs after which V8 has optimised the modules. The first one is measured for its memory. */
const WARM_UPS = 3;
/** A side that is this much slower than sharp runs in fewer rounds, so that it does not take most of the hour. */
const SLOW_RATIO = 4;
const SLOW_ROUNDS = 3;

const start = (): ChildProcess =>
  fork(fileURLToPath(new URL("side-process.ts", import.meta.url)), {
    serialization: "advanced",
    execArgv: [...process.execArgv, "--expose-gc"],
  });

function ask(child: ChildProcess, order: Order): Promise<Answer> {
  return new Promise((resolve) => {
    const settle = (answer: Answer): void => {
      child.off("message", settle).off("exit", ended);
      resolve(answer);
    };
    const ended = (): void => settle({ error: "the process ended" });
    child.once("message", settle).once("exit", ended);
    child.send(order, (error) => {
      if (error) ended();
    });
  });
}

interface Runner {
  side: Side;
  run: () => Promise<Answer>;
  grownBytes: number;
  done: Done[];
  error: string | null;
}

async function once(runner: Runner): Promise<Done | null> {
  if (runner.error !== null) return null;
  const answer = await runner.run();
  if ("error" in answer) {
    runner.error = answer.error;
    return null;
  }
  return answer;
}

/** How much is measured: the memory of a first run alone, one round beside it, or as many as times need. */
export type Extent = "memory" | "short" | "full";

export async function measure(line: Line, extent: Extent): Promise<Results> {
  const work = await workOf(line);
  const sides = SIDES.filter((side) => side !== "mozjpeg" || line.to === "jpeg");
  const children = new Map(sides.map((side) => [side, start()]));
  try {
    const runners = sides.map((side): Runner => ({
      side,
      run: () => ask(children.get(side)!, { ...work, side }),
      ...{ grownBytes: 0, done: [], error: null },
    }));
    const lastMs = new Map<Side, number>();
    for (const runner of runners) {
      for (let n = 0; n < (extent === "full" ? WARM_UPS : 1); n++) {
        const done = await once(runner);
        if (done && n === 0) runner.grownBytes = done.grownBytes;
        if (done) lastMs.set(runner.side, done.ms);
      }
    }
    const sharpMs = lastMs.get("sharp") ?? SHARP_MS;
    const most = { memory: 0, short: 1, full: roundsFor(sharpMs) }[extent];
    for (let round = 0; round < most; round++) {
      for (const runner of runners) {
        const isSlow = (lastMs.get(runner.side) ?? 0) > SLOW_RATIO * sharpMs;
        const done = isSlow && round >= SLOW_ROUNDS ? null : await once(runner);
        if (done) runner.done.push(done);
      }
    }
    return Object.fromEntries(runners.map((runner) => [runner.side, resultOf(runner)]));
  } finally {
    for (const child of children.values()) child.kill();
  }
}

const roundsFor = (sharpMs: number): number =>
  Math.max(ROUNDS.min, Math.min(ROUNDS.max, Math.round(SHARP_MS / sharpMs)));

const resultOf = ({ error, done, grownBytes }: Runner): Measured | string =>
  error ?? {
    ms: median(done.map(({ ms }) => ms)),
    computedMs: median(done.map(({ computedMs }) => computedMs)),
    grownBytes,
  };
