/** The address of a picture on another server, in the one form that its hash is made of (RULES 13.2). */
import { ApiError } from "../../errors.ts";
import { REMOTE } from "../../limits.ts";
import { invalid } from "../../image/parameters/invalid.ts";

/** Returns the error for a text that is no address, and for a relative one where a whole one is needed. */
export const noWholeAddress = (): ApiError =>
  invalid("url", `must be one whole address of at most ${REMOTE.addressMaxCharacters} characters`);

/**
 * Reads an address.
 * @param base what a relative address is resolved against; without it, a relative address is refused
 * @throws ApiError INVALID_PARAMETER for a text that is no address, ORIGIN_NOT_ALLOWED for an IP address in disguise
 */
export function parseAddress(text: string, base?: string): URL {
  if (text === "" || text.length > REMOTE.addressMaxCharacters || !URL.canParse(text, base))
    throw noWholeAddress();
  const address = new URL(text, base);
  if (isDisguised(text, address))
    throw new ApiError("ORIGIN_NOT_ALLOWED", "The host is written in an unusual form.");
  address.hash = "";
  if (address.href.length > REMOTE.addressMaxCharacters) throw noWholeAddress();
  return address;
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Returns whether a text means an IPv4 address in another form than four numbers, such as `0x7f.1`. */
export const isDisguised = (text: string, { hostname }: URL): boolean =>
  IPV4.test(hostname) && /^[a-z][a-z0-9+.-]*:/i.test(text) && !text.includes(`//${hostname}`);
