/** The builder Worker: no public route, one Durable Object class. */
export { BuildRoom } from "./build-room.ts";

export default {
  fetch: () => new Response("Not found\n", { status: 404, headers: { "cache-control": "no-store" } }),
} satisfies ExportedHandler;
