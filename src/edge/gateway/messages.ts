/**
 * The messages between the default entrypoint and the cached one, in headers that no client sends or sees. A stored
 * answer may come from another version of the Worker, so a missing header is not an error.
 */
import type { TransformState } from "../delivery/build-cold.ts";
import type { Answered } from "./answered.ts";
import type { Call } from "./call.ts";
import type { EdgeCopy } from "./edge-copy.ts";

/** In a request: its id. In an answer: the id of the request for which it was made. */
const REQUEST = "X-Silverprint-Request";
const CLIENT = "X-Silverprint-Client";
const ARRIVED = "X-Silverprint-Arrived";
const OF_PRIMARY = "X-Silverprint-Of-Primary";
const OWN_HOSTS = "X-Silverprint-Own-Hosts";
const REPLAYED_AS = "X-Silverprint-Replayed-As";
const WORTH_ASKING = "X-Silverprint-Worth-Asking";
const QUERIES = "X-Silverprint-Queries";

/** The platform's headers for how long its cache keeps the answer, and for the tags that invalidate it. */
const EDGE_CONTROL = "Cloudflare-CDN-Cache-Control";
const EDGE_TAGS = "Cache-Tag";

const OWN = [REQUEST, REPLAYED_AS, WORTH_ASKING, QUERIES, EDGE_CONTROL, EDGE_TAGS, "Age"];
const STATE = "X-Service-Transform";

type Carried = Pick<Call, "client" | "requestId" | "arrivedAt" | "ofPrimary" | "ownHosts">;

export const writeCall = ({
  client,
  requestId,
  arrivedAt,
  ofPrimary,
  ownHosts,
}: Carried): Record<string, string> => ({
  [REQUEST]: requestId,
  [CLIENT]: client,
  [ARRIVED]: String(arrivedAt),
  ...(ofPrimary && { [OF_PRIMARY]: "1" }),
  ...(ownHosts.length > 0 && { [OWN_HOSTS]: ownHosts.join(" ") }),
});

/** @param now the time in milliseconds here: the entrypoints may run on two machines whose clocks differ */
export function readCall(headers: Headers, now: number): Carried {
  const arrivedAt = Number(headers.get(ARRIVED));
  return {
    requestId: headers.get(REQUEST) ?? crypto.randomUUID(),
    client: headers.get(CLIENT) ?? "unknown",
    arrivedAt: arrivedAt > 0 ? Math.min(arrivedAt, now) : now,
    ofPrimary: headers.has(OF_PRIMARY),
    ownHosts: headers.get(OWN_HOSTS)?.split(" ") ?? [],
  };
}

/** Adds headers to an answer for the edge's cache, and the request for which it was made. */
export function writeCopy(
  headers: Headers,
  { control, tags }: Pick<EdgeCopy, "control" | "tags">,
  { requestId, queryCount }: Pick<Call, "requestId" | "queryCount">,
): void {
  headers.set(REQUEST, requestId);
  headers.set(QUERIES, String(queryCount.queries));
  headers.set(EDGE_CONTROL, control);
  if (tags.length > 0) headers.set(EDGE_TAGS, tags.join(","));
}

/** Adds headers to the answer for the edge's cache and for the default entrypoint. */
export function writeAnswer({ response, state, isFinal, copy }: Answered, call: Call): Response {
  const { headers } = response;
  writeCopy(headers, copy, call);
  if (copy.isWorthAsking) headers.set(WORTH_ASKING, "1");
  if (isFinal && state !== null) headers.set(REPLAYED_AS, "hit" satisfies TransformState);
  return response;
}

export interface ReadAnswer {
  /** The response for the client, whose headers can still be set. */
  response: Response;
  state: string | null;
  /** Whether it was made for another request and stored. */
  isReplay: boolean;
  isWorthAsking: boolean;
  queries: number;
}

export function readAnswer(answered: Response, requestId: string): ReadAnswer {
  const response = new Response(answered.body, answered);
  const { headers } = response;
  const isReplay = headers.get(REQUEST) !== requestId;
  const replayedAs = headers.get(REPLAYED_AS);
  const isWorthAsking = headers.has(WORTH_ASKING);
  const queries = isReplay ? 0 : Number(headers.get(QUERIES) ?? 0);
  for (const name of OWN) headers.delete(name);
  if (isReplay && replayedAs !== null) headers.set(STATE, replayedAs);
  return { response, state: headers.get(STATE), isReplay, isWorthAsking, queries };
}
