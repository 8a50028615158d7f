/** Which requests are logged (RULES 10.8). */
import { LOG } from "../../../limits.ts";

interface SampleSetting {
  LOG_SAMPLE?: string;
}

/** Returns the share of requests that are logged, from 0 to 1. An invalid setting means the default. */
export function logSample({ LOG_SAMPLE }: SampleSetting): number {
  const share = LOG_SAMPLE ? Number(LOG_SAMPLE) : NaN;
  return share >= 0 && share <= 1 ? share : LOG.sampleDefault;
}

/** Decides at random whether this request is logged. */
export const isInSample = (env: SampleSetting): boolean => Math.random() < logSample(env);
