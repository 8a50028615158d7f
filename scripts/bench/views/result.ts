/** What a simulated day is run with, and what came of it. */
import type { Counted } from "./prices.ts";

export interface Way {
  edgeCache: "on" | "off";
  /** As LOG_SAMPLE. */
  logSample: number;
  /** In the place of the platform's purge, to see what its absence does. */
  purge?: (tags: string[]) => Promise<boolean>;
}

export interface Result extends Counted {
  views: number;
  viewsWithoutD1: number;
  d1Queries: number;
  queueCalls: number;
  metricsCalls: number;
  purges: number;
  /** Pictures and files that were shown longer after their trashing than they may. */
  staleAnswers: number;
  /** Answers that are none of those that the picture's state allows. */
  wrongAnswers: number;
  builds: number;
  /** Lines of trouble in the log, by event. */
  troubles: Map<string, number>;
}
