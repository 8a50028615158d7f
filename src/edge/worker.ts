/** The Worker's handlers: requests to the app, the cron to the sweep. */
import { createApp } from "./app.ts";
import page from "./generated/docs.html";
import openapi from "./generated/openapi.txt";
import { checkEnv, spaceQueue, type Env } from "./config.ts";
import { database } from "./storage/database.ts";
import { sweep } from "./sweep/sweep.ts";

const app = createApp({ openapi, page });

export default {
  fetch: app.fetch,
  async scheduled(_controller, env) {
    checkEnv(env);
    const report = await sweep({
      db: database(env.DB),
      bucket: env.BUCKET,
      now: Date.now(),
      clearQueue: (spaceId) => spaceQueue(env, spaceId).clear(),
      announce: (spaceId) => spaceQueue(env, spaceId).makePlaceholders(spaceId),
      log: (event) => console.error(JSON.stringify(event)),
    });
    console.log(JSON.stringify({ event: "sweep", ...report }));
  },
} satisfies ExportedHandler<Env>;
