/** Which requests have a line in the log (RULES 10.8). */
import { LOG } from "../../limits.ts";

interface SampleSetting {
  LOG_SAMPLE?: string;
}

/** The share of requests that are logged, from 0 to 1. What cannot be read is the default. */
export function logSample({ LOG_SAMPLE }: SampleSetting): number {
  const share = LOG_SAMPLE ? Number(LOG_SAMPLE) : NaN;
  return share >= 0 && share <= 1 ? share : LOG.sampleDefault;
}

/** Whether this request is one of those that are logged. */
export const isInSample = (env: SampleSetting): boolean => Math.random() < logSample(env);
