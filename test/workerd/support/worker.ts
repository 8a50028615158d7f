/** The Worker under test: the real handlers and queue, and a builder that tests control. */
import worker from "../../../src/edge/worker.ts";
import type { Env } from "../../../src/edge/config.ts";
import type { WakeMessage } from "../../../src/edge/messages.ts";
import { EXCHANGE_TYPE } from "../../../src/exchange/lines.ts";
import { Sweeper as DeployedSweeper } from "../../../src/edge/sweeper.ts";
import type { SweepReport } from "../../../src/edge/sweep/sweep.ts";
import { inOneInvocation, sameInvocation } from "./bindings/deployed-d1.ts";

export { Cached } from "../../../src/edge/cached.ts";
export { Metrics } from "../../../src/edge/metrics/metrics-object.ts";
export { RemoteFetcher } from "../../../src/edge/remote/remote-fetcher.ts";
export { BuildRoom } from "./builder/fake-builder.ts";
export { SpaceQueue } from "./objects/woken-queues.ts";
export { WebhookSender } from "./objects/webhook-rounds.ts";

/** Each sweep of a database is an invocation of its own. */
export class Sweeper extends DeployedSweeper {
  override sweep(shard: number, now: number): Promise<SweepReport> {
    return inOneInvocation(() => super.sweep(shard, now));
  }
}

/** Counts the queries of an export, which it makes while a client reads it, with those of its request. */
function counted(response: Response): Response {
  if (response.headers.get("Content-Type") !== EXCHANGE_TYPE || !response.body) return response;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const inInvocation = sameInvocation();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await inInvocation(() => reader.read());
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

export default {
  fetch: (request, env, context) =>
    inOneInvocation(async () => counted(await worker.fetch(request, env, context))),
  queue: (batch, env, context) => inOneInvocation(() => worker.queue(batch, env, context)),
  scheduled: (controller, env, context) => inOneInvocation(() => worker.scheduled(controller, env, context)),
} satisfies ExportedHandler<Env, WakeMessage>;
