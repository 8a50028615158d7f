/** One image request, top to bottom: picture, choice, hit, plan, queue. */
import { notFound } from "../../errors.ts";
import { planVariant, type Lane } from "../../image/plan/plan.ts";
import { variantFile, variantKey, type VariantSpec } from "../../image/model/variant.ts";
import { DELIVERY } from "../../limits.ts";
import type { AdmitRequest, SpaceQueueApi } from "../messages.ts";
import type { Picture, PictureSource } from "../storage/pictures.ts";
import { choose } from "./choose.ts";
import { acceptedFormats } from "./negotiate.ts";
import type { Outcome, TransformState } from "./outcome.ts";
import type { PictureParameters } from "./parameters.ts";
import { within } from "./within.ts";

export interface PictureRequest {
  spaceName: string;
  mediaId: string;
  parameters: PictureParameters;
  accept: string | null;
  /** Who is charged for a cold variant. */
  client: string;
  /** When the request reached the Worker, in milliseconds: the wait counts from here. */
  arrivedAt: number;
}

export interface DeliveryTools {
  pictures: PictureSource;
  queueOf(spaceId: string): SpaceQueueApi;
  now(): number;
  /** Keeps work alive after the response. */
  waitUntil(work: Promise<unknown>): void;
  log(event: Record<string, unknown>): void;
}

/**
 * Decides where an image request is sent.
 * @throws ApiError NOT_FOUND for an unknown or trashed picture, INVALID_PARAMETER for one that would lose frames
 */
export async function deliver(request: PictureRequest, tools: DeliveryTools): Promise<Outcome> {
  const { spaceName, mediaId, parameters } = request;
  const found = await tools.pictures.get(spaceName, mediaId);
  if (!found) throw notFound("The picture");
  let picture = found.picture;
  let pick = pickVariant(picture, request, tools);
  if (pick.kind === "cold" && found.cached) {
    // It may have been built since this isolate last looked: D1 is asked before the queue is.
    const fresh = await tools.pictures.refresh(spaceName, mediaId);
    if (!fresh) throw notFound("The picture");
    picture = fresh;
    pick = pickVariant(picture, request, tools);
  }
  switch (pick.kind) {
    case "master":
      return master(picture, pick.state, parameters.auto);
    case "hit":
      return variant(picture, pick.spec, "hit", parameters.auto);
    case "cold": {
      const { state, ready } = await buildWithinWait(picture, pick, request, tools);
      if (!ready) return master(picture, state, parameters.auto);
      picture.variants.add(variantFile(pick.spec));
      return variant(picture, pick.spec, state, parameters.auto);
    }
    default:
      return pick satisfies never;
  }
}

type Cold = { kind: "cold"; spec: VariantSpec; lane: Lane; peakBytes: number };
type Pick = { kind: "master"; state: "unavailable" | null } | { kind: "hit"; spec: VariantSpec } | Cold;

/** The first candidate that is there or can be built. Over a limit of interface §8 nothing else is tried. */
function pickVariant(picture: Picture, request: PictureRequest, tools: DeliveryTools): Pick {
  const choice = choose(picture.facts, request.parameters, acceptedFormats(request.accept));
  if (choice.kind === "master") return { kind: "master", state: null };
  for (const spec of choice.candidates) {
    if (picture.variants.has(variantFile(spec))) return { kind: "hit", spec };
    const plan = planVariant(picture.facts, picture.sizeBytes, spec);
    if (plan.ok) return { kind: "cold", spec, lane: plan.lane, peakBytes: plan.peakBytes };
    const { refusal, reason } = plan;
    tools.log({ event: "unavailable", mediaId: picture.mediaId, file: variantFile(spec), refusal, reason });
    if (refusal === "over-limit") break;
  }
  return { kind: "master", state: "unavailable" };
}

/** How a cold variant went; `ready` when the answer is the variant itself. */
interface ColdResult {
  state: TransformState;
  ready: boolean;
}

/** Asks the space's queue for a build, and waits for a light one until 250 ms after the request's arrival. */
async function buildWithinWait(
  picture: Picture,
  { spec, lane, peakBytes }: Cold,
  request: PictureRequest,
  tools: DeliveryTools,
): Promise<ColdResult> {
  const { spaceId, mediaId, version, facts, sizeBytes } = picture;
  const file = variantFile(spec);
  const admit: AdmitRequest = {
    key: variantKey(picture, file),
    spaceId,
    mediaId,
    version,
    file,
    masterKey: picture.masterKey,
    lane,
    order: { spec, facts, sourceBytes: sizeBytes, peakBytes },
    client: request.client,
  };
  const remainingMs = (): number => request.arrivedAt + DELIVERY.lightWaitMs - tools.now();
  const queue = tools.queueOf(spaceId);
  const admission = await within(queue.admit(admit), remainingMs(), tools);
  if (!admission) {
    tools.log({
      event: "unavailable",
      mediaId,
      file,
      refusal: "queue-silent",
      reason: "no answer within the wait",
    });
    return { state: "unavailable", ready: false };
  }
  switch (admission.state) {
    case "hit":
      return { state: "hit", ready: true };
    case "limited":
    case "overloaded":
    case "unavailable":
      return { state: admission.state, ready: false };
    case "accepted":
    case "coalesced": {
      const isFirst = admission.state === "accepted";
      const late: ColdResult = { state: isFirst ? "queued" : "coalesced", ready: false };
      if (admission.lane === "heavy") return late;
      const settlement = await within(queue.settled(admit.key), remainingMs(), tools);
      if (settlement?.state === "built") return { state: isFirst ? "built" : "coalesced", ready: true };
      return settlement?.state === "failed" ? { state: "unavailable", ready: false } : late;
    }
    default:
      return admission satisfies never;
  }
}

function variant(picture: Picture, spec: VariantSpec, state: TransformState, negotiated: boolean): Outcome {
  return {
    key: variantKey(picture, variantFile(spec)),
    width: spec.width,
    isMaster: false,
    state,
    negotiated,
  };
}

function master(picture: Picture, state: TransformState | null, negotiated: boolean): Outcome {
  return { key: picture.masterKey, width: picture.facts.width, isMaster: true, state, negotiated };
}
