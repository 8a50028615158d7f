/** The app, and how a route gets into its API document. */
import type { Hono } from "hono/tiny";
import type { AppEnv } from "./context.ts";
import type { EndpointDescription } from "./description.ts";

/** The app, and the descriptions of its routes in the order in which they were mounted. */
export type App = Hono<AppEnv> & { readonly descriptions: EndpointDescription[] };

/** For routes that check and parse by themselves: they are in the API document all the same. */
export function describeEndpoint(app: App, description: EndpointDescription): void {
  app.descriptions.push(description);
}
