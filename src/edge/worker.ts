/** The Worker's handlers: requests to the app, the cron to the sweep. */
import { createApp } from "./app.ts";
import { checkEnv, spaceQueue, type Env } from "./config.ts";
import { database } from "./storage/database.ts";
import { announceBareMasters } from "./sweep/placeholders.ts";
import { sweep } from "./sweep/sweep.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  async scheduled(_controller, env) {
    checkEnv(env);
    const db = database(env.DB);
    const report = await sweep({
      db,
      bucket: env.BUCKET,
      now: Date.now(),
      clearQueue: (spaceId) => spaceQueue(env, spaceId).clear(),
    });
    const announced = await announceBareMasters(db, (id) => spaceQueue(env, id).makePlaceholders(id));
    console.log(JSON.stringify({ event: "sweep", ...report, placeholderSpaces: announced }));
  },
} satisfies ExportedHandler<Env>;
