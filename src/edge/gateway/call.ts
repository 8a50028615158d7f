/** The data that the default entrypoint hands over with a request of image delivery. */
import type { Env } from "../config.ts";
import type { QueryCount } from "../storage/database/database.ts";

export interface Call {
  env: Env;
  /** Lets work go on after the answer. */
  waitUntil(work: Promise<unknown>): void;
  requestId: string;
  /** The time of arrival, in milliseconds. */
  arrivedAt: number;
  /** The client that is charged: an IPv4 address or an IPv6 /64. */
  client: string;
  /** Whether D1's primary must be asked, because the edge is to keep the answer. */
  ofPrimary: boolean;
  /** The hosts of this deployment, as far as a request for a remote picture needs them. */
  ownHosts: readonly string[];
  queryCount: QueryCount;
}
