/**
 * One request for a picture of another server, top to bottom (RULES 13): the space and its origins, the picture if it is
 * here, else its fetch. The master of the rules of image delivery is the address itself.
 */
import { ApiError, notFound } from "../../errors.ts";
import { isTransformed } from "../../image/parameters/table.ts";
import { CACHE } from "../../limits.ts";
import type { TransformState } from "../delivery/build-cold.ts";
import { wantedOf } from "../delivery/choose.ts";
import { parametersFor } from "../delivery/decide.ts";
import { deliver } from "../delivery/deliver.ts";
import { framingOf } from "../delivery/framing.ts";
import type { Outcome } from "../delivery/outcome.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import type { ReadFrom } from "../storage/database/read-database.ts";
import type { FoundPicture, PictureAddress } from "../storage/pictures/pictures.ts";
import type { FoundSpace } from "../storage/remote/remote-pictures.ts";
import { parseAddress } from "./address.ts";
import { askForFetch, attend } from "./ask-for-fetch.ts";
import { hashOf } from "./fetch-key.ts";
import { originOf } from "./origins.ts";
import { isOwnButNoPicture } from "./own-addresses.ts";
import { pictureUnknown, type RemoteRequest, type RemoteTools } from "./remote-request.ts";

/** The answer: a file of ours, or the address itself. */
export interface RemoteOutcome {
  spaceId: string;
  /** The address, if it is the answer; null if a file of ours is. */
  url: string | null;
  state: TransformState | null;
  /** Null while the picture is not here. */
  outcome: Outcome | null;
  from: ReadFrom;
}

/**
 * Decides what answers a request.
 * @throws ApiError NOT_FOUND for an unknown space, INVALID_PARAMETER, ORIGIN_NOT_ALLOWED, UNAVAILABLE when D1 does not
 * answer and this isolate does not hold what is asked for
 */
export async function deliverRemote(request: RemoteRequest, tools: RemoteTools): Promise<RemoteOutcome> {
  const ahead = lookAhead(request, tools);
  const { found, url } = await allowed(request, tools);
  const { space } = found;
  const parameters = parametersFor(request, space);
  const known = { ...request, parameters };
  // Refuses what the space does not list, whether the picture is here or not.
  framingOf(parameters, { ...space, focalPoint: null });
  const hash = await hashOf(url);
  const address = addressOf(request, hash, space.backgrounds);
  const looking = request.ofPrimary
    ? tools.pictures.refresh(address)
    : (ahead ?? tools.pictures.get(address));
  let picture = await looking.catch(pictureUnknown(tools));
  const at = { spaceId: space.spaceId, url, outcome: null, from: found.from };
  if (!picture) {
    if (!isTransformed(parameters)) return { ...at, state: null };
    const fetching = await askForFetch({ request, space, url, hash }, address, tools);
    if (typeof fetching === "string") return { ...at, state: fetching };
    picture = fetching;
  }
  const here = Promise.resolve(picture);
  const pictures = { ...tools.pictures, get: () => here };
  const outcome = await deliver({ ...known, mediaId: hash, ofPrimary: false }, { ...tools, pictures });
  attend(outcome, { request, space, url, hash }, tools);
  const { state } = outcome;
  const isVector = outcome.picture.facts.format === "svg" && parameters.format === null;
  const from = found.from === "primary" ? outcome.from : found.from;
  return {
    spaceId: space.spaceId,
    url: outcome.isMaster && !isVector ? url : null,
    state,
    outcome,
    from,
  };
}

/** @param backgrounds those that the space lists; null while they are not known */
const addressOf = (
  request: RemoteRequest,
  hash: string,
  backgrounds: readonly string[] | null,
): PictureAddress => ({
  ...{ spaceName: request.spaceName, mediaId: hash },
  wanted: (aspectRatios) => wantedOf(parametersFor(request, { aspectRatios, backgrounds }), aspectRatios),
});

/**
 * Looks for the picture while its space is read, so that a first visitor waits for the slower of the two and not for
 * both. Null if the space is known, or says which picture is meant: the one of a relative address, or of a background
 * that may not be listed.
 */
function lookAhead(request: RemoteRequest, tools: RemoteTools): Promise<FoundPicture | null> | null {
  const { spaceName, url, parameters, isLenient = false, ofPrimary = false } = request;
  const isOfSpace = !URL.canParse(url) || (isLenient && parameters.background !== null);
  if (ofPrimary || isOfSpace || !tools.mayLookAhead(spaceName)) return null;
  const look = async (): Promise<FoundPicture | null> =>
    tools.pictures.get(addressOf(request, await hashOf(parseAddress(url).href), null));
  const looking = look();
  // The space may be unknown, or the address be refused once it is known: then this one is not waited for.
  looking.catch(() => undefined);
  return looking;
}

/** Requests for which the primary has lately been asked whether an address is allowed, so that it is not asked again. */
const askedAgain = new ExpiringMap<true>(CACHE.missingMs, CACHE.factsMaxEntries);

/** Finds the space, and the whole address. @throws ApiError NOT_FOUND, INVALID_PARAMETER, ORIGIN_NOT_ALLOWED */
async function allowed(
  { spaceName, url, isLenient = false, ofPrimary = false }: RemoteRequest,
  tools: RemoteTools,
): Promise<{ found: FoundSpace; url: string }> {
  const look = (ofPrimary: boolean): Promise<FoundSpace | null> =>
    tools.findSpace(spaceName, ofPrimary).catch(pictureUnknown(tools));
  let found = await look(ofPrimary);
  for (;;) {
    if (!found) throw notFound("The space");
    const [first = NO_ORIGIN] = found.space.origins;
    const address = parseAddress(url, isLenient ? first.replace("//*.", "//") : undefined);
    const isOurs = isOwnButNoPicture(address, tools.ownHosts);
    if (!isOurs && originOf(address, found.space.origins, tools.rules) !== null)
      return { found, url: address.href };
    // The origin may have been added since.
    if (found.from === "primary" || askedAgain.get(spaceName, tools.now())) throw notAllowed(address, isOurs);
    askedAgain.set(spaceName, true, tools.now());
    found = await look(true);
    if (found?.from === "held") throw notAllowed(address, isOurs);
  }
}

/** Stands for the first origin of a space that has none. It is no address that an origin may have. */
const NO_ORIGIN = "https://none.invalid.localhost/";

function notAllowed({ origin, protocol }: URL, isOurs: boolean): ApiError {
  if (isOurs)
    return new ApiError("ORIGIN_NOT_ALLOWED", "This deployment fetches nothing of its own but pictures.");
  if (`${origin}/` === NO_ORIGIN) {
    const message = 'A relative address belongs to the first of the setting "origins", which is empty.';
    return new ApiError("ORIGIN_NOT_ALLOWED", message);
  }
  const what = origin === "null" ? protocol : origin;
  const message = `${what} is not among the origins of this space. Add it to the setting "origins".`;
  return new ApiError("ORIGIN_NOT_ALLOWED", message);
}
