/** Asks the space's queue to build a cold variant, and waits for a light one (RULES 7.4, 8.2). */
import { DELIVERY } from "../../limits.ts";
import type { Admission, AdmitRequest, Settlement, SpaceQueueApi } from "../messages.ts";
import { askedLately, beginAsking, type Asked } from "./admissions.ts";
import { within, type Lingering } from "./within.ts";

/** The values of X-Service-Transform (RULES 7.2). */
export type TransformState =
  "hit" | "built" | "queued" | "coalesced" | "limited" | "overloaded" | "unavailable";

export interface ColdTools extends Lingering {
  queueOf(spaceId: string): SpaceQueueApi;
  now(): number;
}

/** The outcome; `ready` when the answer is the variant itself. */
export interface ColdResult {
  state: TransformState;
  ready: boolean;
}

const notReady = (state: TransformState): ColdResult => ({ state, ready: false });

/**
 * Asks the queue, or uses what another request of this isolate has asked.
 * @param arrivedAt when the request reached the Worker, in milliseconds: the wait counts from there
 */
export async function buildCold(
  request: AdmitRequest,
  arrivedAt: number,
  tools: ColdTools,
): Promise<ColdResult> {
  const remainingMs = (): number => arrivedAt + DELIVERY.lightWaitMs - tools.now();
  const asked = askedLately(request.key, tools.now());
  const joined = asked && (await join(asked, request, remainingMs()));
  return joined ?? askQueue(request, remainingMs, tools);
}

/** Uses the answer that another request of this isolate got. Null when it says nothing about this request. */
async function join(asked: Asked, { lane }: AdmitRequest, waitMs: number): Promise<ColdResult | null> {
  // Counts polls, because the clock may stand still.
  let looks = lane === "light" ? Math.floor(waitMs / DELIVERY.joinedLookMs) : 0;
  while (asked.state === "under-way" && looks-- > 0) {
    await new Promise((resolve) => setTimeout(resolve, DELIVERY.joinedLookMs));
  }
  switch (asked.state) {
    case "under-way":
      return notReady("coalesced");
    case "built":
      return { state: "coalesced", ready: true };
    case "ask-again":
      return null;
    default:
      return notReady(asked.state);
  }
}

async function askQueue(
  request: AdmitRequest,
  remainingMs: () => number,
  tools: ColdTools,
): Promise<ColdResult> {
  const queue = tools.queueOf(request.spaceId);
  const asked = beginAsking(request.key, tools.now());
  const admitted = within(admit(queue, request, asked), remainingMs(), tools);
  // Sent at once: the calls of one stub arrive in their order, and so the wait costs no second round trip.
  const built =
    request.lane === "light" ? within(settled(queue, request.key, asked), remainingMs(), tools) : null;
  const admission = await admitted;
  if (admission === "failed") return notReady("unavailable");
  // The admission goes on, so that the next request finds the variant or joins its build.
  if (admission === "late") return notReady("queued");
  switch (admission.state) {
    case "hit":
      return { state: "hit", ready: true };
    case "limited":
    case "overloaded":
    case "unavailable":
      return notReady(admission.state);
    case "accepted":
    case "coalesced": {
      const isFirst = admission.state === "accepted";
      const late = notReady(isFirst ? "queued" : "coalesced");
      if (admission.lane === "heavy" || !built) return late;
      const settlement = await built;
      if (settlement === "late" || settlement === "failed" || settlement.state === "unknown") return late;
      if (settlement.state === "built") return { state: isFirst ? "built" : "coalesced", ready: true };
      return notReady("unavailable");
    }
    default:
      return admission satisfies never;
  }
}

/** Asks the queue, and notes its answer for other requests, even when it is too late for this one. */
async function admit(queue: SpaceQueueApi, request: AdmitRequest, asked: Asked): Promise<Admission> {
  try {
    const admission = await queue.admit(request);
    asked.state = noteOf(admission);
    return admission;
  } catch (error) {
    asked.state = "ask-again";
    throw error;
  }
}

function noteOf(admission: Admission): Asked["state"] {
  switch (admission.state) {
    case "accepted":
    case "coalesced":
      return "under-way";
    case "hit":
      return "built";
    case "limited":
      return admission.budget === "space" ? "limited" : "ask-again";
    case "overloaded":
      return admission.isShareOfClient === true ? "ask-again" : "overloaded";
    default:
      return admission.state;
  }
}

/** Waits for the end of a build, and notes it for other requests unless the admission has said something else. */
async function settled(queue: SpaceQueueApi, key: string, asked: Asked): Promise<Settlement> {
  const settlement = await queue.settled(key);
  if (asked.state === "under-way") {
    if (settlement.state === "built") asked.state = "built";
    if (settlement.state === "failed") asked.state = "unavailable";
  }
  return settlement;
}
