/** Chooses the database of a new space. */
import { SHARDS } from "../../limits.ts";
import type { DatabaseSize } from "../storage/shards/size.ts";
import type { Walked } from "./walk.ts";

/** The bytes that count: a new space holds little today, and much tomorrow. */
const weightOf = ({ bytes, spaces }: DatabaseSize): number => Math.max(bytes, spaces * SHARDS.spaceBytesMin);

/** Returns the number of the database with the fewest bytes; null if none answered. */
export function emptiestShard(walked: Walked<DatabaseSize>[]): number | null {
  const answered = walked.flatMap((one) =>
    one.ok ? [{ shard: one.shard, weight: weightOf(one.value) }] : [],
  );
  return answered.toSorted((a, b) => a.weight - b.weight || a.shard - b.shard)[0]?.shard ?? null;
}
