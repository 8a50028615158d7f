/** What one request of image delivery carries from the default entrypoint to the answer. */
import type { Env } from "../config.ts";
import type { QueryCount } from "../storage/database.ts";

export interface Call {
  env: Env;
  /** Keeps work going after the answer. */
  waitUntil(work: Promise<unknown>): void;
  requestId: string;
  /** Milliseconds. */
  arrivedAt: number;
  /** Who is charged: an IPv4 address or an IPv6 /64. */
  client: string;
  /** Only the primary's word will do: the answer is asked for to be kept at the edge. */
  ofPrimary: boolean;
  queryCount: QueryCount;
}
