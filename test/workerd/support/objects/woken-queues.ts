/** The real queue, which tells the tests of each object that was started: by a test, by a request or by an alarm. */
import { SpaceQueue as RealQueue } from "../../../../src/edge/queue/space-queue.ts";
import type { Env } from "../../../../src/edge/config.ts";

const woken = new Set<string>();

export class SpaceQueue extends RealQueue {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (ctx.id.name !== undefined) woken.add(ctx.id.name);
  }
}

/** Returns the names of the queues that were started since the last call. */
export function takeWokenQueues(): string[] {
  const names = [...woken];
  woken.clear();
  return names;
}
