/** The real queue, which tells the tests of each object that was started: by a test, by a request or by an alarm. */
import { vi } from "vitest";
import { SpaceQueue as RealQueue } from "../../../../src/edge/queue/space-queue.ts";
import type { Env } from "../../../../src/edge/config.ts";

const woken = new Set<string>();

export class SpaceQueue extends RealQueue {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (ctx.id.name !== undefined) woken.add(ctx.id.name);
  }

  /**
   * Plans the placeholders and presets of uploads only while a test holds the clock. On a slow machine, they would
   * otherwise be made under a test that counts rows and objects: three seconds after its upload.
   */
  override makePlaceholders(spaceId: string): Promise<void> {
    return vi.isFakeTimers() ? super.makePlaceholders(spaceId) : Promise.resolve();
  }
}

/** Returns the names of the queues that were started since the last call. */
export function takeWokenQueues(): string[] {
  const names = [...woken];
  woken.clear();
  return names;
}
