/** The edge Worker: its handlers, the entrypoint behind the edge's cache, and its Durable Objects. */
export { Cached } from "./edge/cached.ts";
export { Metrics } from "./edge/metrics/metrics-object.ts";
export { RemoteFetcher } from "./edge/remote/remote-fetcher.ts";
export { SpaceQueue } from "./edge/queue/space-queue.ts";
export { Sweeper } from "./edge/sweeper.ts";
export { WebhookSender } from "./edge/webhooks/webhook-sender.ts";
export { default } from "./edge/worker.ts";
