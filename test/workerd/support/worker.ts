/** The Worker under test: the real handler and queue, and a builder that tests control. */
export { SpaceQueue } from "../../../src/queue/space-queue.ts";
export { BuildRoom } from "./fake-builder.ts";
export default {
  fetch: () => new Response("no routes in this entry", { status: 404 }),
} satisfies ExportedHandler;
