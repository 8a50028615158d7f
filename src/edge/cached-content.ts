/** Public content behind the edge's cache: the routes of records, in an app of their own (RULES 3.17). */
import { Hono } from "hono/tiny";
import { notFound } from "../errors.ts";
import type { Env } from "./config.ts";
import { NOT_KEPT } from "./gateway/edge-copy.ts";
import { readCall, writeCopy } from "./gateway/messages.ts";
import { BASE_MARK } from "./gateway/public-content.ts";
import { useDirectory, type AppEnv } from "./http/context.ts";
import type { App } from "./http/endpoint.ts";
import { renderError } from "./http/answers/errors.ts";
import { mountRecords } from "./routes/records/records.ts";
import { contentTag } from "./storage/invalidation/tags.ts";

function createContentApp(): App {
  const app: App = Object.assign(new Hono<AppEnv>(), { descriptions: [] });

  app.use(async (c, next) => {
    const { requestId, arrivedAt, client } = readCall(c.req.raw.headers, Date.now());
    const queryCount = { queries: 0 };
    c.set("requestId", requestId);
    c.set("arrivedAt", arrivedAt);
    c.set("client", client);
    c.set("queryCount", queryCount);
    useDirectory(c);
    await next();
    const { headers } = c.res;
    const control = headers.get("Cache-Control") ?? NOT_KEPT.control;
    const spaceId = c.get("publicSpaceId");
    const isKept = control.startsWith("public") && spaceId !== undefined;
    const copy = isKept ? { control, tags: [contentTag(spaceId)] } : NOT_KEPT;
    writeCopy(headers, copy, { requestId, queryCount });
  });
  app.onError(renderError);
  app.notFound((c) => renderError(notFound("This route"), c));
  mountRecords(app);
  return app;
}

let made: App | undefined;
/** Returns the app, which is made when it is first needed: the default entrypoint never needs it. */
const contentApp = (): App => (made ??= createContentApp());

/** The default entrypoint, which knows the client, has counted this request. */
const COUNTED: RateLimit = { limit: () => Promise.resolve({ success: true }) };

/** @param path what the default entrypoint asks for, without a key and in its normal form */
export function answerContent(path: string, request: Request, env: Env): Promise<Response> {
  const { method, headers } = request;
  const ownEnv = { ...env, IMAGE_FLOOD: COUNTED, PUBLIC_BASE_URL: BASE_MARK };
  return Promise.resolve(
    contentApp().fetch(new Request(`https://cached${path}`, { method, headers }), ownEnv),
  );
}
