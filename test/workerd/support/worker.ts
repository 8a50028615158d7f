/** The Worker under test: the real handlers and queue, and a builder that tests control. */
export { Cached } from "../../../src/edge/cached.ts";
export { Metrics } from "../../../src/edge/metrics/metrics-object.ts";
export { default } from "../../../src/edge/worker.ts";
export { BuildRoom } from "./builder/fake-builder.ts";
export { SpaceQueue } from "./woken-queues.ts";
