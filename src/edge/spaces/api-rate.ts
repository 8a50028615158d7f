/** The variable `API_RATE` (RULES 1.10). */
import { KEYED } from "../../limits.ts";

const WHOLE = /^[1-9]\d{0,8}$/;

/** Returns the reads that a key may make in a minute. An invalid setting means the default. */
export const readsPerMinute = ({ API_RATE = "" }: { API_RATE?: string }): number =>
  WHOLE.test(API_RATE) ? Number(API_RATE) : KEYED.readsPerMinute;
