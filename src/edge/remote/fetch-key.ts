/** The names under which the file of an address is kept and fetched. */
import { hex } from "../spaces/secrets.ts";

/** Returns the SHA-256 of an address, hex. */
export async function hashOf(address: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(address)));
}

/** Returns the key by which the space's queue knows the fetch of an address. */
export const fetchKey = (spaceId: string, hash: string): string => `r/${spaceId}/${hash}`;
