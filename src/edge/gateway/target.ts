/** The target of a path of image delivery, and the normal form under which the edge keeps answers (RULES 5.1, 7.8). */
import { notFound } from "../../errors.ts";
import { MASTER_FORMATS } from "../../image/model/facts.ts";
import { masterFile, parseVariantFile, type MasterAddress } from "../../image/model/variant.ts";
import { isName } from "../../content/text/names.ts";
import { acceptedFormats, normalAccept } from "../delivery/negotiate.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";
import { parsePictureParameters } from "../../image/parameters/read.ts";
import { normalQuery } from "../../image/parameters/write.ts";
import { isUlid } from "../http/requests/ids.ts";

/** The segments of a path, not checked yet: the flood ceiling comes before any check. */
export type Target =
  | { kind: "redirect" | "direct"; spaceName: string; mediaId: string }
  | { kind: "master" | "variant"; spaceId: string; mediaId: string; version: string; file: string };

export type TargetKind = Target["kind"];

const PICTURE = /^\/api\/v1\/([^/]+)\/pictures\/([^/]+)(\/file)?$/;
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

/** Returns the target of a path; null for a path that does not belong to image delivery. */
export function targetOf(pathname: string): Target | null {
  const picture = PICTURE.exec(pathname);
  if (picture) {
    const kind = picture[3] ? "direct" : "redirect";
    return { kind, spaceName: decoded(picture[1]), mediaId: decoded(picture[2]) };
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
}

export interface AskedFile {
  kind: "master" | "variant";
  address: MasterAddress;
  file: string;
}

/** A request for a picture or a file that can exist. */
export type Asked = AskedPicture | AskedFile;

const VERSION = /^[1-9]\d{0,9}$/;
const MASTER_FILES = new Set(MASTER_FORMATS.map(masterFile));

/**
 * Checks a target and its parameters without D1.
 * @throws ApiError INVALID_PARAMETER for a malformed parameter, NOT_FOUND for names and ids that cannot exist
 */
export function askedOf(target: Target, query: URLSearchParams, accept: string | null): Asked {
  if ("file" in target) {
    const { kind, spaceId, mediaId, version, file } = target;
    const isFile = kind === "master" ? MASTER_FILES.has(file) : parseVariantFile(file) !== null;
    if (!VERSION.test(version) || !isUlid(spaceId) || !isUlid(mediaId) || !isFile) throw notFound("The file");
    return { kind, address: { spaceId, mediaId, version: Number(version) }, file };
  }
  const { kind, spaceName, mediaId } = target;
  const parameters = parsePictureParameters(query);
  if (!isName(spaceName) || !isUlid(mediaId)) throw notFound("The picture");
  const versions = kind === "direct" ? query.getAll("v") : [];
  const version = versions.length === 1 && VERSION.test(versions[0] ?? "") ? Number(versions[0]) : null;
  return { kind, spaceName, mediaId, parameters, version, accept: parameters.auto ? accept : null };
}

/**
 * Returns the path and query under which the edge keeps the answer. Requests with the same answer have the same one.
 */
export function normalPath(asked: Asked): string {
  if ("file" in asked) {
    const { spaceId, mediaId, version } = asked.address;
    return `/cdn/${asked.kind === "master" ? "m" : "v"}/${spaceId}/${mediaId}/${version}/${asked.file}`;
  }
  const query = normalQuery(asked.parameters);
  if (asked.version !== null) query.set("v", String(asked.version));
  const path = `/api/v1/${asked.spaceName}/pictures/${asked.mediaId}${asked.kind === "direct" ? "/file" : ""}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** Returns the normal form of `Accept`, one of four values; null if the answer does not depend on it. */
export const normalAcceptOf = (asked: Asked): string | null =>
  "parameters" in asked && asked.parameters.auto ? normalAccept(acceptedFormats(asked.accept)) : null;
