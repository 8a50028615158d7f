/**
 * The gate of every route in a space (RULES 1.12): it holds the caller's role and scopes against the part of the space
 * that the route reaches. A route cannot be described without that part, so a new route says it or does not compile.
 */
import { defaultCode, hasLocales, localesIn } from "../../content/locales/locales.ts";
import { ApiError, notFound } from "../../errors.ts";
import type { Scopes } from "../storage/spaces/scopes.ts";
import type { Reach } from "./reach.ts";
import { ROLES, type Requirement } from "./roles.ts";

/** The kinds of callers in a space. */
export type CallerKind = "root" | "key" | "member" | "preview token";

/** A request at the gate. */
export interface AtGate {
  /** The role that the route needs. */
  required: Requirement;
  reaches: Reach;
  /** Whether the request changes nothing. */
  isRead: boolean;
  /** Whether the request may name a locale. If not, it shows no localized values. */
  takesLocale: boolean;
}

/** A caller whose scopes are known. */
export interface ScopedCaller {
  kind: CallerKind;
  role: Requirement;
  scopes: Scopes;
}

/** The parts that a preview token reads: no trash, no history. */
const PREVIEWED: readonly Reach[] = ["nothing", "caller", "records", "media"];

export const forbidden = (message: string): ApiError => new ApiError("FORBIDDEN", message);

/** @throws ApiError FORBIDDEN when `role` is lower than the required one */
export function checkRole(role: Requirement, required: Requirement): void {
  const order: readonly Requirement[] = [...ROLES, "root"];
  if (order.indexOf(role) >= order.indexOf(required)) return;
  const needed = required === "root" ? "the root token" : `a key with the role ${required}`;
  throw forbidden(`This needs ${needed}; yours has the role ${role}.`);
}

/** Returns whether a caller has no scopes: it reaches all of its space. */
export const reachesAll = ({ models, locales, media, publish }: Scopes): boolean =>
  models === null && locales === null && media === "write" && publish;

/** @throws ApiError FORBIDDEN, NOT_FOUND (media that are outside the scopes) */
export function admit({ kind, role, scopes }: ScopedCaller, { required, reaches, isRead }: AtGate): void {
  checkRole(role, required);
  if (kind === "preview token" && !PREVIEWED.includes(reaches)) {
    throw forbidden("A preview token reads records and media alone. Use a key.");
  }
  switch (reaches) {
    case "nothing":
    case "caller":
    case "space":
    case "models":
    case "records":
    case "history":
    case "trash":
    case "usage":
      return;
    case "media":
    case "media work":
      if (scopes.media === "none") throw notFound("The media item");
      if (scopes.media === "read" && !isRead) throw mediaAreRead();
      return;
    case "everything":
      if (!reachesAll(scopes)) throw forbidden("This reaches the whole space, and your key has scopes.");
      return;
    default:
      reaches satisfies never;
  }
}

/** Returns the error about a change of media by a caller that may only read them. */
export const mediaAreRead = (): ApiError =>
  forbidden(`The scopes of your key have media: "read", so it changes no media.`);

/** @throws ApiError FORBIDDEN for a locale outside the scopes */
export function checkLocales({ locales }: Pick<Scopes, "locales">, codes: readonly string[]): void {
  const outside = locales === null ? [] : codes.filter((code) => !locales.includes(code));
  if (outside.length === 0) return;
  throw forbidden(
    `The scopes of your key have the locales ${(locales ?? []).join(", ")}, and this needs ${outside.join(", ")} too. ` +
      "Name the locale that you mean.",
  );
}

/**
 * Checks a change of what the locales of a media item share: its file, its name, its focal point, its presence.
 * @throws ApiError FORBIDDEN
 */
export function checkMediaChange(scopes: Scopes, space: { locales: string | null }): void {
  if (scopes.media !== "write") throw mediaAreRead();
  const locales = localesIn(space.locales);
  if (hasLocales(locales)) checkLocales(scopes, [defaultCode(locales)]);
}

/** Returns whether the caller may see the default locale, in which titles are. */
export function seesDefaultLocale(
  { locales }: Pick<Scopes, "locales">,
  space: { locales: string | null },
): boolean {
  const ofSpace = localesIn(space.locales);
  return locales === null || !hasLocales(ofSpace) || locales.includes(defaultCode(ofSpace));
}

/** @throws ApiError FORBIDDEN when the caller may not change what readers see */
export function checkPublish({ publish }: Pick<Scopes, "publish">, what: string): void {
  if (!publish) throw forbidden(`The scopes of your key have publish: false, and ${what}.`);
}
