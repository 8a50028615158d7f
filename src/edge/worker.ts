/**
 * The handlers of the Worker. Requests go to image delivery or the app, the cron trigger to the sweep. The app is made
 * when it is first needed: a picture does not wait for the descriptions of all routes in a new isolate.
 */
import { createApp } from "./app.ts";
import { checkEnv, type Env } from "./config.ts";
import { contentTargetOf } from "./gateway/content-target.ts";
import { handleDelivery } from "./gateway/gateway.ts";
import { handlePublicContent } from "./gateway/public-content.ts";
import { targetOf } from "./gateway/target.ts";
import { reportSweep } from "./metrics/sweep.ts";
import type { App } from "./http/endpoint.ts";
import type { WakeMessage } from "./messages.ts";
import { sweepAll } from "./sweep-all.ts";
import { takeWakes } from "./webhooks/wake.ts";

let made: App | undefined;
const app = (): App => (made ??= createApp());

/** Requests for pictures and files do not go through the router: most of them need little work. */
const isDelivery = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

export default {
  fetch(request: Request, env: Env, context: ExecutionContext) {
    const url = new URL(request.url);
    const target = isDelivery(request) ? targetOf(url.pathname, url.search) : null;
    if (target) return handleDelivery(request, url, target, env, context);
    const content = env.EDGE_CACHE === "on" ? contentTargetOf(request, url) : null;
    const inPlace = () => app().fetch(request, env, context);
    return content ? handlePublicContent(request, url, content, env, context, inPlace) : inPlace();
  },
  async scheduled(_controller, env, context) {
    checkEnv(env);
    const { report, ...others } = await sweepAll(env, context);
    console.log(JSON.stringify({ event: "sweep", ...report, ...others }));
    await reportSweep(env, report, Date.now());
  },
  async queue(batch, env, context) {
    checkEnv(env);
    await takeWakes(batch, env, context);
  },
} satisfies ExportedHandler<Env, WakeMessage>;
