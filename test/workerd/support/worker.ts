/** The Worker under test: the real handlers and queue, and a builder that tests control. */
export { SpaceQueue } from "../../../src/queue/space-queue.ts";
export { default } from "../../../src/worker.ts";
export { BuildRoom } from "./fake-builder.ts";
