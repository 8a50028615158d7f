/** The edge Worker: routes, the space's queue, the scheduled sweep. */
export { SpaceQueue } from "./edge/queue/space-queue.ts";
export { default } from "./edge/worker.ts";
