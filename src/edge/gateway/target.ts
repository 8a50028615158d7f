/** The target of a path of image delivery, and the normal form under which the edge keeps answers (RULES 5.1, 7.8). */
import { ApiError, notFound } from "../../errors.ts";
import { MASTER_FORMATS } from "../../image/formats/registry.ts";
import { masterFile, parseVariantFile, type MasterAddress } from "../../image/model/variant.ts";
import { isName } from "../../content/text/names.ts";
import { acceptedFormats, normalAccept } from "../delivery/negotiate.ts";
import { invalid } from "../../image/parameters/invalid.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";
import { parsePictureParameters } from "../../image/parameters/read.ts";
import { isNegotiated, PARAMETERS } from "../../image/parameters/table.ts";
import { normalQuery } from "../../image/parameters/write.ts";
import { oncePerObject, remembered } from "../../remembered.ts";
import { isUlid } from "../http/requests/ids.ts";
import { noWholeAddress, parseAddress } from "../remote/address.ts";
import { addressIn, type DialectName, translate } from "../remote/dialects/dialects.ts";
import { isOwnButNoPicture, ownPictureOf } from "../remote/own-addresses.ts";

/** A request in a dialect. */
interface AskedInDialect {
  name: DialectName;
  options: string;
  /** The end of the path with the query, where all dialects but Next's have the address. */
  rest: string;
}

/** The segments of a path, not checked yet: the flood ceiling comes before any check. */
export type Target =
  | { kind: "redirect" | "direct"; spaceName: string; mediaId: string; isLenient?: boolean }
  | { kind: "remote"; spaceName: string; dialect?: AskedInDialect; isLenient?: boolean }
  | { kind: "master" | "variant"; spaceId: string; mediaId: string; version: string; file: string };

export type TargetKind = Target["kind"];

const PICTURE = /^\/api\/v1\/([^/]+)\/pictures\/([^/]+)(\/file)?$/;
const REMOTE = /^\/api\/v1\/([^/]+)\/remote$/;
const DIALECT = /^\/api\/v1\/([^/]+)\/(?:next|(ipx|cdn-cgi\/image)\/([^/]*)\/(.*))$/;
const FILE = /^\/cdn\/([mv])\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/;

/** Decodes a segment. One with invalid percent-encoding is kept as sent: no name or id looks like it. */
function decoded(segment = ""): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Returns the target of a path; null for a path that does not belong to image delivery.
 * @param search the query as it was sent, with its question mark: a dialect has the query of its picture there
 */
export function targetOf(pathname: string, search = ""): Target | null {
  const picture = PICTURE.exec(pathname);
  if (picture) {
    const kind = picture[3] ? "direct" : "redirect";
    return { kind, spaceName: decoded(picture[1]), mediaId: decoded(picture[2]) };
  }
  const remote = REMOTE.exec(pathname);
  if (remote) return { kind: "remote", spaceName: decoded(remote[1]) };
  const [, space, cloudflare, options = "", rest = ""] = DIALECT.exec(pathname) ?? [];
  if (space !== undefined) {
    const name = cloudflare === undefined ? "next" : cloudflare === "ipx" ? "ipx" : "cloudflare";
    const dialect = { name, options: decoded(options), rest: rest + search } as const;
    return { kind: "remote", spaceName: decoded(space), dialect };
  }
  const file = FILE.exec(pathname);
  if (!file) return null;
  const [spaceId = "", mediaId = "", version = "", name = ""] = file.slice(2).map(decoded);
  return { kind: file[1] === "m" ? "master" : "variant", spaceId, mediaId, version, file: name };
}

export interface AskedPicture {
  kind: "redirect" | "direct";
  spaceName: string;
  mediaId: string;
  parameters: PictureParameters;
  /** The master version in a direct address; null without one, or if it is invalid (RULES 7.7). */
  version: number | null;
  accept: string | null;
  /** As of a remote picture. */
  isLenient: boolean;
}

/** A request for a picture of another server. */
export interface AskedRemote {
  kind: "remote";
  spaceName: string;
  /** As it was sent, or whole. */
  url: string;
  parameters: PictureParameters;
  accept: string | null;
  /** Whether values that the space does not list are replaced instead of refused. */
  isLenient: boolean;
}

export interface AskedFile {
  kind: "master" | "variant";
  address: MasterAddress;
  file: string;
}

/** A request for a picture or a file that can exist. */
export type Asked = AskedPicture | AskedRemote | AskedFile;

const VERSION = /^[1-9]\d{0,9}$/;
const MASTER_FILES = new Set(MASTER_FORMATS.map(masterFile));

const KNOWN = new Set<string>([...Object.values(PARAMETERS).map(({ name }) => name), "v"]);

/**
 * Reads the query of a picture: its parameters, and the master version of a direct address. A query with other parameters
 * is not remembered: with a new value of one in each request, a single client would make the isolate forget the rest.
 */
const pictureQueryIn = remembered(
  (search) => {
    const query = new URLSearchParams(search);
    const versions = query.getAll("v");
    const version = versions.length === 1 && VERSION.test(versions[0] ?? "") ? Number(versions[0]) : null;
    const hasOthers = [...query.keys()].some((name) => !KNOWN.has(name));
    return { parameters: parsePictureParameters(query), version, hasOthers };
  },
  ({ hasOthers }) => !hasOthers,
);

/**
 * Checks a target and its parameters without D1.
 * @param search the query as it was sent
 * @param ownHosts the hosts of this deployment
 * @throws ApiError INVALID_PARAMETER for a malformed parameter, NOT_FOUND for names and ids that cannot exist
 */
export function askedOf(
  target: Target,
  search: string,
  accept: string | null,
  ownHosts: readonly string[] = [],
): Asked {
  if ("file" in target) {
    const { kind, spaceId, mediaId, version, file } = target;
    const isFile = kind === "master" ? MASTER_FILES.has(file) : parseVariantFile(file) !== null;
    if (!VERSION.test(version) || !isUlid(spaceId) || !isUlid(mediaId) || !isFile) throw notFound("The file");
    return { kind, address: { spaceId, mediaId, version: Number(version) }, file };
  }
  if (target.kind === "remote") {
    const { spaceName, dialect, isLenient = dialect !== undefined } = target;
    const query = new URLSearchParams(search);
    const url = dialect && dialect.name !== "next" ? addressIn(dialect.name, dialect.rest) : urlIn(query);
    const options = dialect?.name === "next" ? query.toString() : (dialect?.options ?? "");
    const parameters = dialect ? translate(dialect.name, options) : parsePictureParameters(query);
    return remoteOf({ spaceName, url, parameters, accept, isLenient }, ownHosts);
  }
  const { parameters, version } = pictureQueryIn(search);
  const { kind, spaceName, mediaId, isLenient = false } = target;
  if (!isName(spaceName) || !isUlid(mediaId)) throw notFound("The picture");
  return {
    ...{ kind, spaceName, mediaId, parameters, isLenient },
    version: kind === "direct" ? version : null,
    accept: isNegotiated(parameters) ? accept : null,
  };
}

/** @throws ApiError INVALID_PARAMETER unless there is one address */
function urlIn(query: URLSearchParams): string {
  const [url, ...others] = query.getAll("url");
  if (url === undefined || others.length > 0) throw invalid("url", "must be given once");
  return url;
}

/** A host for addresses that are only compared by their path. */
const UNKNOWN_HOST = "localhost";

/**
 * Returns the request for a remote picture, or for the media item of the same space that its address shows.
 * @throws ApiError INVALID_PARAMETER, also for any other relative address outside the dialects; NOT_FOUND;
 * ORIGIN_NOT_ALLOWED for an address of ours that shows no picture
 */
function remoteOf(asked: Omit<AskedRemote, "kind">, ownHosts: readonly string[]): AskedPicture | AskedRemote {
  const { spaceName, url, parameters, isLenient } = asked;
  if (!isName(spaceName)) throw notFound("The space");
  const accept = isNegotiated(parameters) ? asked.accept : null;
  // A relative address may show a picture of the space. In a dialect, any other belongs to the first of its origins.
  const isRelative = !URL.canParse(url);
  const here = new URL(`https://${ownHosts[0] ?? UNKNOWN_HOST}`);
  const address = parseAddress(url, isRelative ? here.origin : undefined);
  // `//host/path` is relative too, and may name another host.
  const own = ownPictureOf(address, isRelative ? [here.host] : ownHosts);
  if (own?.spaceName === spaceName) {
    const { mediaId } = own;
    if (!isUlid(mediaId)) throw notFound("The picture");
    return { kind: "redirect", spaceName, mediaId, parameters, version: null, accept, isLenient };
  }
  if (isRelative && !isLenient) throw noWholeAddress();
  if (!isRelative && isOwnButNoPicture(address, ownHosts))
    throw new ApiError("ORIGIN_NOT_ALLOWED", "This deployment fetches nothing of its own but pictures.");
  return { kind: "remote", spaceName, url: isRelative ? url : address.href, parameters, accept, isLenient };
}

/**
 * Returns the path and query under which the edge keeps the answer. Requests with the same answer have the same one.
 */
export const normalPath = (asked: Asked): string =>
  ("isLenient" in asked && asked.isLenient ? LENIENT : "") + strictPath(asked);

/** The first segments of paths in which a request's values are replaced instead of refused. */
export const LENIENT = "/lenient";

function strictPath(asked: Asked): string {
  if ("file" in asked) {
    const { spaceId, mediaId, version } = asked.address;
    return `/cdn/${asked.kind === "master" ? "m" : "v"}/${spaceId}/${mediaId}/${version}/${asked.file}`;
  }
  const query = normalTextOf(asked.parameters);
  if (asked.kind === "remote") {
    const url = new URLSearchParams({ url: asked.url }).toString();
    return `/api/v1/${asked.spaceName}/remote?${query === "" ? url : `${query}&${url}`}`;
  }
  const version = asked.version === null ? "" : `v=${asked.version}`;
  const path = `/api/v1/${asked.spaceName}/pictures/${asked.mediaId}${asked.kind === "direct" ? "/file" : ""}`;
  const both = [query, version].filter((part) => part !== "").join("&");
  return both === "" ? path : `${path}?${both}`;
}

/** Writes the normal form of a query. All requests for pictures with the same query share their parameters. */
const normalTextOf = oncePerObject((parameters: PictureParameters) => normalQuery(parameters).toString());

/** Returns the normal form of `Accept`, one of four values; null if the answer does not depend on it. */
export const normalAcceptOf = (asked: Asked): string | null =>
  "parameters" in asked && isNegotiated(asked.parameters)
    ? normalAccept(acceptedFormats(asked.accept))
    : null;
