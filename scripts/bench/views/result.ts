/** The settings and the result of a simulated day. */
import type { Counted } from "./prices.ts";

export interface Way {
  edgeCache: "on" | "off";
  /** The value of LOG_SAMPLE. */
  logSample: number;
  /** Replaces the platform's purge, to see the effect of its absence. */
  invalidate?: (tags: string[]) => Promise<boolean>;
}

export interface Result extends Counted {
  views: number;
  viewsWithoutD1: number;
  d1Queries: number;
  /** Queries of each database by its number: of views, those among them for the place of a space, and of sweeps. */
  queriesOf: { views: number; places: number; sweeps: number }[];
  /** Queries of the directory for the place of a space, which are among those of its views. */
  placeQueries: number;
  /** Moves of spaces before the day. */
  moves: number;
  queueCalls: number;
  metricsCalls: number;
  invalidations: number;
  /** Pictures and files that were served for longer after their trashing than is allowed. */
  staleAnswers: number;
  /** Answers that the picture's state does not allow. */
  wrongAnswers: number;
  builds: number;
  /** Lines of the log that report trouble, by event. */
  troubles: Map<string, number>;
}
