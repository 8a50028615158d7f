/** Ids of new records. */
import { ulid } from "ulid";

/** Crockford's base 32, as in ULIDs. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const COUNTED = 3;

/**
 * New ids; made of `seed`, a ULID, where there is one: the same ids in the same order whenever a request with one
 * Idempotency-Key is run again.
 */
export function idsOf(seed: string | undefined): (now: number) => string {
  let count = 0;
  return (now) => {
    if (seed === undefined) return ulid(now);
    const digits = Array.from({ length: COUNTED }, (_, place) => DIGITS[(count >> (5 * place)) & 31]);
    count += 1;
    return seed.slice(0, -COUNTED) + digits.reverse().join("");
  };
}
