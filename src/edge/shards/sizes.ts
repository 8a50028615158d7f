/** Chooses the database of a new space. */
import { SHARDS } from "../../limits.ts";

interface Size {
  bytes: number;
  spaces: number;
}

/** A database with its size, or one that did not answer, as a walk gives them. */
type Sized = { shard: number } & ({ ok: true; value: Size } | { ok: false });

/** Returns the bytes that count for a database: a new space holds little today, and much tomorrow. */
const weightOf = ({ bytes, spaces }: Size): number => Math.max(bytes, spaces * SHARDS.spaceBytesMin);

/** Returns the number of the database with the fewest bytes; null if none answered. */
export function emptiestShard(walked: readonly Sized[]): number | null {
  const answered = walked.flatMap((one) =>
    one.ok ? [{ shard: one.shard, weight: weightOf(one.value) }] : [],
  );
  return answered.toSorted((a, b) => a.weight - b.weight || a.shard - b.shard)[0]?.shard ?? null;
}
