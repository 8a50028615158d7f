/**
 * The setting `origins`: which addresses of other servers a space serves pictures of (RULES 13.1). An entry is
 * `https://host`, or `https://host/path/` for the addresses below that path. Pure.
 */

/** Whether addresses of this machine are taken too: `REMOTE_TEST_ORIGINS`, of a service that `npm start` runs. */
export interface OriginRules {
  isTesting: boolean;
}

interface Origin {
  protocol: string;
  /** With the port of an address of this machine; without the wildcard. */
  host: string;
  /** Whether one more label stands before `host`. */
  hasWildcard: boolean;
  /** Ends with a slash. */
  path: string;
}

const ENTRY = /^(https?:)\/\/(\*\.)?([^/?#@\\\s]+)(\/[^?#\\\s]*)?$/i;
/** A name with a dot whose last label begins with a letter, so that no form of an IP address is one. */
const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that mean machines of a private network. */
const PRIVATE = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;
/** The names of this machine by which a space may be served its own pictures: `own-addresses.ts` knows them, and no other. */
const OF_THIS_MACHINE = /^(?:127\.0\.0\.1|localhost):\d{1,5}$/;

/** Returns whether a host is a public name: no IP address, and no name of a private network. */
export const isPublicName = (hostname: string): boolean => NAME.test(hostname) && !PRIVATE.test(hostname);

/** Dot segments, and separators, that a server may decode after its address was compared. */
const HIDDEN_STEP = /(?:^|\/|%2f|%5c)(?:\.|%2e){1,2}(?:\/|%2f|%5c|$)/i;

/** Returns an entry's parts; null if it is not of the form. */
export function parseOrigin(text: string, { isTesting }: OriginRules): Origin | null {
  const [, scheme = "", wildcard, authority = "", path = "/"] = ENTRY.exec(text) ?? [];
  if (scheme === "" || !path.endsWith("/") || !URL.canParse(`${scheme}//${authority}${path}`)) return null;
  const url = new URL(`${scheme}//${authority}${path}`);
  if (url.username !== "" || url.password !== "" || HIDDEN_STEP.test(path)) return null;
  const origin = { protocol: url.protocol, path: url.pathname, hasWildcard: wildcard !== undefined };
  if (isTesting && url.protocol === "http:" && OF_THIS_MACHINE.test(url.host)) {
    return origin.hasWildcard ? null : { ...origin, host: url.host };
  }
  // An explicit :443 is the default port, which the form does not have.
  const isName = isPublicName(url.hostname) && !/:\d*$/.test(authority);
  return url.protocol === "https:" && isName ? { ...origin, host: url.hostname } : null;
}

/** Returns whether the entries allow the address. */
export function originOf(address: URL, entries: readonly string[], rules: OriginRules): string | null {
  if (address.username !== "" || address.password !== "") return null;
  return (
    entries.find((entry) => {
      const origin = parseOrigin(entry, rules);
      return origin !== null && isBelow(address, origin);
    }) ?? null
  );
}

function isBelow(address: URL, { protocol, host, hasWildcard, path }: Origin): boolean {
  if (address.protocol !== protocol) return false;
  const name = hasWildcard ? withoutLabel(address.host) : address.host;
  if (name !== host) return false;
  if (path === "/") return true;
  return address.pathname.startsWith(path) && !HIDDEN_STEP.test(address.pathname);
}

/** Returns a host without its first label; the wildcard stands for exactly one. */
function withoutLabel(host: string): string | null {
  const [label = "", ...rest] = host.split(".");
  return label === "" ? null : rest.join(".");
}
