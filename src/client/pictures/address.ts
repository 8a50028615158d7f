/**
 * Addresses of pictures: `…/api/v1/{spaceName}/pictures/{mediaId}`, with `/file` for direct delivery (RULES 7.7), and those
 * of other servers: `…/api/v1/{spaceName}/remote?url=…` (RULES 13.2).
 */
import { PARAMETER_NAMES, type ParameterName } from "../../image/parameters/table.ts";

export interface Address {
  /** The address up to and including the id, or `remote`. */
  picture: string;
  query: URLSearchParams;
  /** The text after `#`, which browsers never send. */
  fragment: string;
}

const ADDRESS =
  /^([^?#]*\/api\/v1\/[^/?#]+\/(?:pictures\/[^/?#]+?|remote(?=\?)))(?:\/file)?(?:\?([^#]*))?(?:#(.*))?$/;

/** Parses an address; null if it is not the address of a picture. */
export function readAddress(text: string): Address | null {
  const [, picture, query, fragment = ""] = ADDRESS.exec(text) ?? [];
  return picture === undefined ? null : { picture, query: new URLSearchParams(query), fragment };
}

/** The parameters that the service reads, in a fixed order, so that a file has only one address. */
const NAMES = [...PARAMETER_NAMES, "v"] as const;

export type Parameters = Partial<Record<ParameterName | "v", string | number | null | undefined>>;

const isParameter = (name: string): boolean => NAMES.some((known) => known === name);

/** Returns the address of direct delivery with these parameters. Other parameters of `address` are kept. */
export function fileAddress({ picture, query }: Address, parameters: Parameters, fragment = ""): string {
  const others = [...query].filter(([name]) => !isParameter(name));
  const ours = NAMES.map((name) => [name, parameters[name] ?? null] as const);
  const pairs = [...ours, ...others].filter(([, value]) => value !== null);
  // A colon needs no escape in a query. A comma does, because some readers of srcset take it for the end of an address.
  const encoded = pairs.map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replaceAll("%3A", ":")}`,
  );
  const route = picture.endsWith("/remote") ? picture : `${picture}/file`;
  return `${route}${encoded.length > 0 ? "?" : ""}${encoded.join("&")}${fragment && `#${fragment}`}`;
}

/**
 * Returns the address of a picture on another server, which loaders and components take as `src`.
 * @param base the service and the space: `https://pictures.example/api/v1/shop`
 * @param url the picture's whole address, which must be among the space's `origins`
 */
export const remoteAddress = (base: string, url: string): string =>
  `${base.replace(/\/+$/, "")}/remote?url=${encodeURIComponent(url)}`;

/** Addresses that a space can allow. */
const OF_A_SERVER = /^https:\/\//i;
/** Addresses of this machine, which a service on this machine takes, and no other. */
const OF_THIS_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1)(?=[:/])/i;

const originOf = (address: string): string => /^[a-z]+:\/\/[^/?#]*/i.exec(address)?.[0].toLowerCase() ?? "";

/**
 * Returns the address by which the service at `base` serves `src`, if that is the whole address of a picture on another
 * server. Any other `src`, one of the service itself among them, and every one without a base, is returned unchanged.
 */
export function throughBase(src: string, base: string | undefined): string {
  if (base === undefined || originOf(src) === originOf(base) || readAddress(src)) return src;
  const isServed = OF_A_SERVER.test(src) || (OF_THIS_MACHINE.test(src) && OF_THIS_MACHINE.test(base));
  return isServed ? remoteAddress(base, src) : src;
}
