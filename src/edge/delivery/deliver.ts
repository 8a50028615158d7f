/** One image request, top to bottom: picture, decision, hit, plan, queue. */
import { ApiError, notFound } from "../../errors.ts";
import { planBuild } from "../../image/plan/plan.ts";
import { orderFor } from "../../image/protocol/order.ts";
import { variantFile, variantKey, type VariantSpec } from "../../image/model/variant.ts";
import { isNegotiated } from "../../image/parameters/table.ts";
import { CACHE, DELIVERY } from "../../limits.ts";
import type { AdmitRequest } from "../messages.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import type {
  FoundPicture,
  PictureAddress,
  PictureSource,
  StoredPicture,
} from "../storage/pictures/pictures.ts";
import { askedLately } from "./admissions.ts";
import { buildCold, type ColdTools } from "./build-cold.ts";
import { wantedOf } from "./choose.ts";
import { type Cold, decide, type DecidingRequest, fileOf, type Hit, parametersFor } from "./decide.ts";
import { isListed } from "./framing.ts";
import { masterOutcome, variantOutcome, type Outcome } from "./outcome.ts";
import { isToBeRenewed, offeredFile, renewWhenIdle } from "./renew.ts";
import { within } from "./within.ts";

export interface PictureRequest extends DecidingRequest {
  spaceName: string;
  mediaId: string;
  /** The client that is charged for a cold variant. */
  client: string;
  /** The time when the request reached the Worker, in milliseconds. The wait starts then. */
  arrivedAt: number;
  /** Whether to ask the primary in any case. */
  ofPrimary?: boolean;
}

export interface DeliveryTools extends ColdTools {
  pictures: PictureSource;
  /** Logs an event that is not an error. Only a sample of them is logged. */
  note(event: Record<string, unknown>): void;
}

/**
 * Decides which file answers an image request, whether by a redirect or by its bytes.
 * @throws ApiError NOT_FOUND for an unknown or trashed picture, INVALID_PARAMETER for one that would lose frames and for
 * a ratio that its space does not list, UNAVAILABLE when D1 does not answer and this isolate does not hold the picture
 */
export async function deliver(request: PictureRequest, tools: DeliveryTools): Promise<Outcome> {
  const { parameters, isLenient = false } = request;
  let found = await look(request, tools);
  if (
    !isLenient &&
    mayBeOld(found) &&
    !isListed(parameters, found.picture) &&
    mayLookAgain(request, tools.now())
  ) {
    // The ratio may have been listed since.
    found = await look({ ...request, ofPrimary: true }, tools);
  }
  return answerWith(found, request, tools);
}

const fileMissing = (): ApiError =>
  new ApiError(
    "NOT_FOUND",
    "The file of the picture is missing in the storage. Upload it again, in place of this one.",
  );

/** Answers with the file that the decision names, from what was found about the picture. */
async function answerWith(
  found: FoundPicture,
  request: PictureRequest,
  tools: DeliveryTools,
): Promise<Outcome> {
  const negotiated = isNegotiated(request.parameters);
  const decision = decide(found.picture, request);
  for (const refused of decision.refused) {
    tools.note({ event: "unavailable", mediaId: request.mediaId, ...refused });
  }
  if (decision.kind !== "hit" && found.picture.isMissing) throw fileMissing();
  switch (decision.kind) {
    case "master":
      return masterOutcome(found, decision.state, negotiated);
    case "hit":
      renew(found.picture, decision, request, tools);
      return variantOutcome(found, decision, "hit", negotiated);
    case "cold":
      return answerCold(found, decision, request, tools);
    default:
      return decision satisfies never;
  }
}

/**
 * Asks the queue for a cold variant, and the primary beside it if the picture is an older view: the edge keeps only what
 * the primary confirmed. A variant that an older view does not show is remembered by the queue for a minute.
 */
async function answerCold(
  found: FoundPicture,
  cold: Cold,
  request: PictureRequest,
  tools: DeliveryTools,
): Promise<Outcome> {
  const { parameters, arrivedAt } = request;
  const isToConfirm = mayBeOld(found) && !isAskedFor(found.picture, cold, tools);
  // The queue first: the variant takes longer than the primary.
  const building = buildCold(admissionOf(found.picture, cold, request), arrivedAt, tools);
  const confirming = isToConfirm ? confirm(request, tools) : null;
  const { state, ready } = await building;
  if (!ready) return masterOutcome(found, state, isNegotiated(parameters));
  const confirmed = await confirming;
  if (confirmed === "missing") throw notFound("The picture");
  if (confirmed && !isStillDecided(cold, found, confirmed, request)) {
    return answerWith(confirmed, request, tools);
  }
  const { picture, from } = confirmed ?? found;
  const built = fileOf(cold);
  const known = { picture: tools.pictures.withBuilt(picture, built), from };
  const hit = { spec: cold.spec, file: offeredFile(known.picture.variants, cold.spec) ?? built };
  renew(known.picture, hit, request, tools);
  return variantOutcome(known, hit, state, isNegotiated(parameters));
}

/**
 * Returns whether the request still leads to the same file: not if the master was replaced or the focal point moved.
 */
function isStillDecided(
  { spec }: Cold,
  found: FoundPicture,
  confirmed: FoundPicture,
  request: PictureRequest,
): boolean {
  const now = decide(confirmed.picture, request);
  return now.kind !== "master" && keyOf(confirmed.picture, now) === keyOf(found.picture, { spec });
}

/** Looks the picture up in the primary. Null if the primary does not answer within the wait. */
async function confirm(
  request: PictureRequest,
  tools: DeliveryTools,
): Promise<FoundPicture | "missing" | null> {
  const looking = tools.pictures.refresh(addressOf(request)).then((sure) => ({ sure }));
  const waitMs = request.arrivedAt + DELIVERY.lightWaitMs - tools.now();
  const looked = await within(looking, waitMs, tools, "picture-unknown");
  if (looked === "late" || looked === "failed") return null;
  if (looked.sure === null) return "missing";
  return looked.sure.from === "primary" ? looked.sure : null;
}

const addressOf = (request: PictureRequest): PictureAddress => ({
  spaceName: request.spaceName,
  mediaId: request.mediaId,
  wanted: (listed) => wantedOf(parametersFor(request, { aspectRatios: listed, backgrounds: null }), listed),
});

/** Looks the picture up. @throws ApiError NOT_FOUND, UNAVAILABLE */
async function look(request: PictureRequest, tools: DeliveryTools): Promise<FoundPicture> {
  const { pictures } = tools;
  const address = addressOf(request);
  const reading = request.ofPrimary ? pictures.refresh(address) : pictures.get(address);
  const found = await reading.catch((cause: unknown) => {
    tools.log({ event: "picture-unknown", mediaId: request.mediaId, reason: String(cause) });
    const message = "The picture cannot be looked up at the moment. Try again.";
    throw new ApiError("UNAVAILABLE", message, { cause, headers: { "Retry-After": "1" } });
  });
  if (!found) throw notFound("The picture");
  return found;
}

const mayBeOld = ({ from }: FoundPicture): boolean => from === "memory" || from === "replica";

/** Pictures for which the primary has lately been asked whether a ratio is listed, so that it is not asked again. */
const lookedAgain = new ExpiringMap<true>(CACHE.missingMs, CACHE.factsMaxEntries);

function mayLookAgain({ spaceName, mediaId }: PictureRequest, now: number): boolean {
  const picture = `${spaceName}/${mediaId}`;
  const may = !lookedAgain.get(picture, now);
  lookedAgain.set(picture, true, now);
  return may;
}

const keyOf = (picture: StoredPicture, { spec }: { spec: VariantSpec }): string =>
  variantKey(picture, variantFile(spec));

const isAskedFor = (picture: StoredPicture, cold: Cold, tools: DeliveryTools): boolean =>
  askedLately(variantKey(picture, fileOf(cold)), tools.now()) !== null;

/** Asks for a rebuild beside the answer, which does not wait for it. */
function renew(
  picture: StoredPicture,
  { spec, file }: Omit<Hit, "kind">,
  request: PictureRequest,
  tools: DeliveryTools,
): void {
  if (!isToBeRenewed(picture.variants, file, spec, tools.now())) return;
  const requestOf = (): AdmitRequest | null => {
    const plan = planBuild(picture.facts, picture.sizeBytes, spec);
    return plan.ok ? admissionOf(picture, { spec, plan }, request) : null;
  };
  renewWhenIdle(variantKey(picture, variantFile(spec)), requestOf, tools);
}

/** Makes the message with which the queue is asked for the variant. */
export function admissionOf(
  picture: StoredPicture,
  { spec, plan }: Omit<Cold, "kind">,
  { client, parameters }: Pick<PictureRequest, "client" | "parameters">,
): AdmitRequest {
  const { spaceId, mediaId, version, facts, sizeBytes, masterKey } = picture;
  const file = fileOf({ spec, plan });
  const order = orderFor(facts, sizeBytes, spec, plan);
  const key = variantKey(picture, file);
  const hasRequestedFocalPoint = spec.crop !== undefined && parameters.focalPoint !== null;
  return {
    ...{ key, spaceId, mediaId, version, file, masterKey, lane: plan.lane, order, client },
    ...(hasRequestedFocalPoint && { hasRequestedFocalPoint }),
  };
}
