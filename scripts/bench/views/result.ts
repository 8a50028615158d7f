/** The settings and the result of a simulated day. */
import type { Counted } from "./prices.ts";

export interface Way {
  edgeCache: "on" | "off";
  /** The value of LOG_SAMPLE. */
  logSample: number;
  /** Replaces the platform's purge, to see the effect of its absence. */
  purge?: (tags: string[]) => Promise<boolean>;
}

export interface Result extends Counted {
  views: number;
  viewsWithoutD1: number;
  d1Queries: number;
  queueCalls: number;
  metricsCalls: number;
  purges: number;
  /** Pictures and files that were served for longer after their trashing than is allowed. */
  staleAnswers: number;
  /** Answers that the picture's state does not allow. */
  wrongAnswers: number;
  builds: number;
  /** Lines of the log that report trouble, by event. */
  troubles: Map<string, number>;
}
