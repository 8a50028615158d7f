/** The beginnings of addresses in answers (RULES 1.7). None of them ends with a slash. */
import type { Env } from "../config.ts";
import type { AppContext } from "./context.ts";

/** The path under which this Worker serves immutable files. */
const OWN_CDN_PATH = "/cdn";

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

/**
 * Returns the beginning of absolute addresses: `PUBLIC_BASE_URL`, else the origin of the request. It must never be
 * stored.
 */
export const publicBaseOf = (c: AppContext): string => publicBaseFor(c.env, new URL(c.req.url));

/** Returns the beginning of absolute addresses in the answer to a request to `url`. */
export const publicBaseFor = ({ PUBLIC_BASE_URL }: Pick<Env, "PUBLIC_BASE_URL">, { origin }: URL): string =>
  PUBLIC_BASE_URL ? withoutSlash(PUBLIC_BASE_URL) : origin;

/**
 * Returns the base of immutable files for redirects: `CDN_BASE_URL`, else a path, so that no cached answer names a
 * host.
 */
export const redirectBaseOf = ({ CDN_BASE_URL }: Pick<Env, "CDN_BASE_URL">): string =>
  CDN_BASE_URL ? withoutSlash(CDN_BASE_URL) : OWN_CDN_PATH;

/** Returns the base of immutable files as an absolute address, for JSON. */
export const cdnBaseOf = (c: AppContext): string =>
  c.env.CDN_BASE_URL ? withoutSlash(c.env.CDN_BASE_URL) : publicBaseOf(c) + OWN_CDN_PATH;
