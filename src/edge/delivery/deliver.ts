/** One image request, top to bottom: picture, choice, hit, plan, queue. */
import { ApiError, notFound } from "../../errors.ts";
import { type BuildPlan, effortOf } from "../../image/plan/build-plan.ts";
import { planBuild } from "../../image/plan/plan.ts";
import { orderFor } from "../../image/protocol/order.ts";
import { variantFile, variantKey, type VariantSpec, versionOfEffort } from "../../image/model/variant.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";
import { CACHE, DELIVERY } from "../../limits.ts";
import type { AdmitRequest } from "../messages.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import type { FoundPicture, Picture, PictureAddress, PictureSource } from "../storage/pictures/pictures.ts";
import { askedLately } from "./admissions.ts";
import { buildCold, type ColdTools } from "./build-cold.ts";
import { choose, wantedOf } from "./choose.ts";
import { framingOf, isListed } from "./framing.ts";
import { acceptedFormats } from "./negotiate.ts";
import { masterOutcome, variantOutcome, type Outcome } from "./outcome.ts";
import { isToBeRenewed, offeredFile, renewWhenIdle } from "./renew.ts";
import { within } from "./within.ts";

export interface PictureRequest {
  spaceName: string;
  mediaId: string;
  parameters: PictureParameters;
  accept: string | null;
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
  const { parameters } = request;
  let found = await look(request, tools);
  if (mayBeOld(found) && !isListed(parameters, found.picture) && mayLookAgain(request, tools.now())) {
    // The ratio may have been listed since.
    found = await look({ ...request, ofPrimary: true }, tools);
  }
  return answerWith(found, request, tools);
}

async function answerWith(
  found: FoundPicture,
  request: PictureRequest,
  tools: DeliveryTools,
): Promise<Outcome> {
  const { auto } = request.parameters;
  const pick = pickVariant(found.picture, request, tools);
  switch (pick.kind) {
    case "master":
      return masterOutcome(found, pick.state, auto);
    case "hit":
      renew(found.picture, pick, request, tools);
      return variantOutcome(found, pick, "hit", auto);
    case "cold":
      return answerCold(found, pick, request, tools);
    default:
      return pick satisfies never;
  }
}

/**
 * Asks the queue for a cold variant, and the primary beside it if the picture is an older view: the edge keeps only what
 * the primary confirmed. A variant that an older view does not show is remembered by the queue for a minute.
 */
async function answerCold(
  found: FoundPicture,
  pick: Cold,
  request: PictureRequest,
  tools: DeliveryTools,
): Promise<Outcome> {
  const { parameters, arrivedAt } = request;
  const isToConfirm = mayBeOld(found) && !isAskedFor(found.picture, pick, tools);
  // The queue first: the variant takes longer than the primary.
  const building = buildCold(admissionOf(found.picture, pick, request), arrivedAt, tools);
  const confirming = isToConfirm ? confirm(request, tools) : null;
  const { state, ready } = await building;
  if (!ready) return masterOutcome(found, state, parameters.auto);
  const confirmed = await confirming;
  if (confirmed === "missing") throw notFound("The picture");
  if (confirmed && !isStillChosen(pick, found, confirmed, request, tools)) {
    return answerWith(confirmed, request, tools);
  }
  const known = confirmed ?? found;
  const { variants } = known.picture;
  const built = fileOf(pick);
  if (!variants.has(built)) variants.set(built, { sizeBytes: null, expiresAt: null });
  const hit = { spec: pick.spec, file: offeredFile(variants, pick.spec) ?? built };
  renew(known.picture, hit, request, tools);
  return variantOutcome(known, hit, state, parameters.auto);
}

/** Whether the request still leads to the same file: not if the master was replaced or the focal point moved. */
function isStillChosen(
  { spec }: Cold,
  found: FoundPicture,
  confirmed: FoundPicture,
  request: PictureRequest,
  tools: DeliveryTools,
): boolean {
  const now = pickVariant(confirmed.picture, request, tools);
  return now.kind !== "master" && keyOf(confirmed.picture, now) === keyOf(found.picture, { spec });
}

/** Finds the picture in the primary. Null if the primary does not answer within the wait. */
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

const addressOf = ({ spaceName, mediaId, parameters }: PictureRequest): PictureAddress => ({
  spaceName,
  mediaId,
  wanted: (listed) => wantedOf(parameters, listed),
});

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

const keyOf = (picture: Picture, { spec }: { spec: VariantSpec }): string =>
  variantKey(picture, variantFile(spec));

const isAskedFor = (picture: Picture, pick: Cold, tools: DeliveryTools): boolean =>
  askedLately(variantKey(picture, fileOf(pick)), tools.now()) !== null;

type Cold = { kind: "cold"; spec: VariantSpec; plan: BuildPlan };
type Hit = { kind: "hit"; spec: VariantSpec; file: string };

/** What the plan makes: a variant that is encoded quickly has a name of its own. */
const fileOf = ({ spec, plan }: Omit<Cold, "kind">): string =>
  variantFile(spec, versionOfEffort(effortOf(plan)));
type Choice = { kind: "master"; state: "unavailable" | null } | Hit | Cold;

/** Picks the first candidate that exists or can be built. If one is over a limit (RULES 9.4, 9.5), none is picked. */
function pickVariant(picture: Picture, request: PictureRequest, tools: DeliveryTools): Choice {
  const { parameters, accept } = request;
  const framing = framingOf(parameters, picture);
  const choice = choose(picture.facts, parameters, framing, acceptedFormats(accept));
  if (choice.kind === "master") return { kind: "master", state: null };
  for (const spec of choice.candidates) {
    const file = offeredFile(picture.variants, spec);
    if (file !== null) return { kind: "hit", spec, file };
    const plan = planBuild(picture.facts, picture.sizeBytes, spec, true);
    if (plan.ok) return { kind: "cold", spec, plan };
    const { refusal, reason } = plan;
    tools.note({ event: "unavailable", mediaId: picture.mediaId, file: variantFile(spec), refusal, reason });
    if (refusal === "over-limit") break;
  }
  return { kind: "master", state: "unavailable" };
}

/** Asks for a rebuild beside the answer, which does not wait for it. */
function renew(
  picture: Picture,
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

function admissionOf(
  picture: Picture,
  { spec, plan }: Omit<Cold, "kind">,
  { client, parameters }: PictureRequest,
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
