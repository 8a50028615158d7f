/** The edge Worker: routes, the space's queue, the scheduled sweep. */
export { SpaceQueue } from "./queue/space-queue.ts";
export { default } from "./worker.ts";
