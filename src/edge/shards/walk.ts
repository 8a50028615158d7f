/** Walks all databases of a deployment. One that fails or does not answer in time holds up no other. */
import { inTime } from "../../in-time.ts";
import { shardsOf, type DatabaseBindings } from "./bindings.ts";

export type Walked<T> = { shard: number } & ({ ok: true; value: T } | { ok: false; error: unknown });

/** Does the same work on each database, on all at once. @returns the outcomes in the order of the numbers */
export function onEachShard<T>(
  env: DatabaseBindings,
  work: (shard: number) => Promise<T>,
  patienceMs: number,
): Promise<Walked<T>[]> {
  const walk = async (shard: number): Promise<Walked<T>> => {
    try {
      return { shard, ok: true, value: await inTime(work(shard), patienceMs) };
    } catch (error) {
      return { shard, ok: false, error };
    }
  };
  return Promise.all(shardsOf(env).map(walk));
}
