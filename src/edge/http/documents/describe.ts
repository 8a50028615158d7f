/** The app, and how a route is added to its API document. */
import type { Hono } from "hono/tiny";
import type { AppEnv } from "../context.ts";
import type { EndpointDescription } from "./description.ts";

/** The app, and the descriptions of its routes in the order in which they were mounted. */
export type App = Hono<AppEnv> & { readonly descriptions: EndpointDescription[] };

/** Adds a route to the API document without mounting it, for routes that check and parse requests themselves. */
export function describeEndpoint(app: App, description: EndpointDescription): void {
  app.descriptions.push(description);
}
