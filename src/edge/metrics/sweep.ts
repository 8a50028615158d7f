/** Adds the results of a sweep to the figures. */
import type { Env } from "../config.ts";
import { writePoint } from "./analytics.ts";
import { tellSweep } from "./isolate.ts";

/** The number of items of each step, and the steps that failed. */
export type SweepFigures = Record<string, number | string[]> & { failed: string[] };

export async function reportSweep(env: Env, { failed, ...steps }: SweepFigures, now: number): Promise<void> {
  const counts = Object.entries(steps).map(([step, n]): [string, number] => [step, Number(n)]);
  await tellSweep(env, now, (tally) => {
    for (const [step, n] of counts) tally.count("sweep_removed_total", { step }, n);
    for (const step of failed) tally.count("sweep_failures_total", { step });
  });
  const doubles = counts.map(([, n]) => n);
  writePoint(env, { event: "sweep", space: null, blobs: [failed.join(",")], doubles });
}
