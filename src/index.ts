/** The edge Worker: routes, what the edge's cache stands in front of, the space's queue, the figures, the scheduled sweep. */
export { Cached } from "./edge/cached.ts";
export { Metrics } from "./edge/metrics/metrics-object.ts";
export { SpaceQueue } from "./edge/queue/space-queue.ts";
export { default } from "./edge/worker.ts";
