/** Addresses of pictures: `…/api/v1/{spaceName}/pictures/{mediaId}`, with `/file` for direct delivery (RULES 7.7). */
import { PARAMETER_NAMES, type ParameterName } from "../../image/parameters/table.ts";

export interface Address {
  /** The address up to and including the id. */
  picture: string;
  query: URLSearchParams;
  /** The text after `#`, which browsers never send. */
  fragment: string;
}

const ADDRESS = /^([^?#]*\/api\/v1\/[^/?#]+\/pictures\/[^/?#]+?)(?:\/file)?(?:\?([^#]*))?(?:#(.*))?$/;

/** Parses an address; null if it is not the address of a picture. */
export function readAddress(text: string): Address | null {
  const [, picture, query, fragment = ""] = ADDRESS.exec(text) ?? [];
  return picture === undefined ? null : { picture, query: new URLSearchParams(query), fragment };
}

/** The parameters that the service reads, in a fixed order, so that a file has only one address. */
const NAMES = [...PARAMETER_NAMES, "v"] as const;

export type Parameters = Partial<Record<ParameterName | "v", string | number | null | undefined>>;

const isParameter = (name: string): boolean => NAMES.some((known) => known === name);

/** The address of direct delivery with these parameters. Other parameters of `address` are kept. */
export function fileAddress({ picture, query }: Address, parameters: Parameters, fragment = ""): string {
  const others = [...query].filter(([name]) => !isParameter(name));
  const ours = NAMES.map((name) => [name, parameters[name] ?? null] as const);
  const pairs = [...ours, ...others].filter(([, value]) => value !== null);
  // A colon needs no escape in a query. A comma does, because some readers of srcset take it for the end of an address.
  const encoded = pairs.map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replaceAll("%3A", ":")}`,
  );
  return `${picture}/file${encoded.length > 0 ? "?" : ""}${encoded.join("&")}${fragment && `#${fragment}`}`;
}
