/**
 * Ids that follow from the ids of the source. The same file gives the same ids, so that a second run finds what the first
 * one wrote, and references need no table of ids that a crash could lose.
 */
import { createHash } from "node:crypto";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** The time of every such ULID: a fixed one, because a reference does not know when its target was made. */
const TIME = "01DXF6DT00";
const RANDOM_CHARACTERS = 16;
const KEY_CHARACTERS = 12;

function digits(text: string, count: number): string {
  const bytes = createHash("sha256").update(text).digest();
  return Array.from({ length: count }, (_, at) => CROCKFORD[bytes[at]! % 32]).join("");
}

/**
 * Returns the id of a record or media item.
 * @param site the name of the site among those of its system; empty where ids are unique among sites
 */
export const idOf = (system: string, site: string, kind: "record" | "media", sourceId: string): string =>
  TIME + digits([system, site, kind, sourceId].join("\0"), RANDOM_CHARACTERS);

/** Returns a `_key` for an object that follows from its place in the source. */
export const keyOf = (...place: (string | number)[]): string =>
  digits(place.join("\0"), KEY_CHARACTERS).toLowerCase();
