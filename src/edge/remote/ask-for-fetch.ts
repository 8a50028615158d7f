/**
 * The part of a request for a remote picture that concerns its fetch: asks the space's queue for it, notes that the
 * picture was asked for, and has a file that is no longer fresh compared with its origin (RULES 13.3, 13.6).
 */
import { CACHE, DELIVERY, REMOTE } from "../../limits.ts";
import type { TransformState } from "../delivery/build-cold.ts";
import type { Outcome } from "../delivery/outcome.ts";
import { within } from "../delivery/within.ts";
import type { FetchAdmission, FetchRequest } from "../messages.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import { noLongerMissing, type FoundPicture, type PictureAddress } from "../storage/pictures/pictures.ts";
import type { RemoteSpace } from "../storage/remote/remote-pictures.ts";
import { fetchKey } from "./fetch-key.ts";
import { pictureUnknown, type RemoteRequest, type RemoteTools } from "./remote-request.ts";

export interface Fetching {
  request: RemoteRequest;
  space: RemoteSpace;
  url: string;
  hash: string;
}

const fetchRequestOf = (
  { request, space, url, hash }: Fetching,
  ownHosts: readonly string[],
): FetchRequest => {
  const { parameters, accept, isLenient = false, client } = request;
  const wish = { parameters, accept, isLenient };
  const { spaceId } = space;
  return { key: fetchKey(spaceId, hash), spaceId, hash, url, client, wish, ownHosts: [...ownHosts] };
};

/** The queue's answers about fetches that this isolate has lately asked for. */
const askedLately = new ExpiringMap<TransformState>(REMOTE.admissionMs, CACHE.admissionsMaxEntries);

/** Asks the queue for the fetch. Returns the state of the answer, or the picture if it is here after all. */
export async function askForFetch(
  fetching: Fetching,
  address: PictureAddress,
  tools: RemoteTools,
): Promise<TransformState | FoundPicture> {
  const { request, space } = fetching;
  const wanted = fetchRequestOf(fetching, tools.ownHosts);
  const said = askedLately.get(wanted.key, tools.now());
  if (said) return said;
  const queue = tools.queueOf(space.spaceId);
  const ask = (asked: FetchRequest): Promise<FetchAdmission | "late" | "failed"> =>
    within(queue.admitFetch(asked), request.arrivedAt + DELIVERY.lightWaitMs - tools.now(), tools);
  let admission = await ask(wanted);
  if (typeof admission === "object" && admission.state === "here") {
    noLongerMissing(address);
    const found = await tools.pictures.refresh(address).catch(pictureUnknown(tools));
    if (found) return found;
    admission = await ask({ ...wanted, isMissing: true });
  }
  if (admission === "failed") return "unavailable";
  // The admission goes on.
  if (admission === "late") return "queued";
  const state = STATES[admission.state];
  const isOfAll = admission.state !== "limited" || admission.budget === "space";
  if (isOfAll && !("isShareOfClient" in admission)) askedLately.set(wanted.key, state, tools.now());
  return state;
}

/** A fetch that another request has caused is waited for like one's own. */
const STATES = {
  here: "queued",
  accepted: "queued",
  coalesced: "queued",
  limited: "limited",
  overloaded: "overloaded",
  unavailable: "unavailable",
} as const satisfies Record<FetchAdmission["state"], TransformState>;

/** When this isolate noted that pictures were asked for, in milliseconds, and files that it has had asked for again. */
const noted = new ExpiringMap<number>(REMOTE.askingNotedMs, CACHE.factsMaxEntries);
const told = new ExpiringMap<true>(CACHE.renewalMs, CACHE.factsMaxEntries);

/** Notes beside the answer that the picture was asked for, and has a file that is no longer fresh compared. */
export function attend({ picture }: Outcome, fetching: Fetching, tools: RemoteTools): void {
  const { remote, mediaId, spaceId } = picture;
  if (!remote) return;
  const now = tools.now();
  const lastNoted = Math.max(remote.askedAt, noted.get(mediaId, now) ?? 0);
  if (lastNoted + remote.notedAfterMs <= now) {
    noted.set(mediaId, now, now);
    tools.waitUntil(tools.noteAsking(spaceId, mediaId).catch(failed(tools, "asking-not-noted")));
  }
  const { key } = fetchRequestOf(fetching, []);
  if (remote.freshUntil > now || told.get(key, now)) return;
  told.set(key, true, now);
  const request = { ...fetchRequestOf(fetching, tools.ownHosts), wish: null };
  const telling = tools.queueOf(spaceId).fetchWhenIdle(request);
  tools.waitUntil(telling.catch(failed(tools, "queue-call-failed")));
}

const failed =
  (tools: RemoteTools, event: string) =>
  (cause: unknown): void =>
    tools.log({ event, reason: String(cause) });

/** Makes this isolate forget what it was told about the fetch of an address. */
export const forgetAsking = (key: string): void => {
  askedLately.delete(key);
  told.delete(key);
};
