/** The health check: whether D1, R2 and the builder answer (RULES 10.6). */
import * as z from "zod";
import { inTime } from "../../../in-time.ts";
import { CACHE, PATIENCE } from "../../../limits.ts";
import { buildRoom } from "../../config.ts";
import { openShard, type AppContext } from "../../http/context.ts";
import type { App } from "../../http/endpoint.ts";
import { describeEndpoint } from "../../http/documents/describe.ts";
import { askBucket, askDatabase } from "../../storage/database/health.ts";
import { shardsOf } from "../../shards/bindings.ts";
import { VERSION } from "../../../generated/version.ts";

const HEALTH_ROOM = "healthz";

/** Returns a builder whose isolates all compute in one piece answers no call: that is failing, too. */
async function works(check: Promise<unknown>): Promise<"ok" | "failing"> {
  try {
    await inTime(check, PATIENCE.healthMs);
    return "ok";
  } catch {
    return "failing";
  }
}

interface Health {
  status: "ok" | "failing";
  builder: "ok" | "failing";
  database: "ok" | "failing";
  bucket: "ok" | "failing";
  version: string;
}

/** The last answer. It is kept because the route is public and a check costs three calls. */
let last: { at: number; health: Health } | null = null;

async function look(c: AppContext): Promise<Health> {
  const [builder, database, bucket] = await Promise.all([
    works(buildRoom(c.env, HEALTH_ROOM, 0).ping()),
    works(Promise.all(shardsOf(c.env).map((shard) => askDatabase(openShard(c, shard))))),
    works(askBucket(c.env.BUCKET)),
  ]);
  const isWell = [builder, database, bucket].every((state) => state === "ok");
  return { status: isWell ? "ok" : "failing", builder, database, bucket, version: VERSION };
}

async function health(c: AppContext): Promise<Response> {
  const now = Date.now();
  // An answer of a later time is of before the clock was set back: it would be kept for too long.
  if (!last || now < last.at || now >= last.at + CACHE.healthMs) last = { at: now, health: await look(c) };
  const { health } = last;
  return c.json(health, health.status === "ok" ? 200 : 503, { "Cache-Control": "no-store" });
}

const state = z.enum(["ok", "failing"]);

export function mountHealth(app: App): void {
  const schema = z.object({
    status: state,
    builder: state,
    database: state,
    bucket: state,
    version: z.string(),
  });
  describeEndpoint(app, {
    method: "get",
    path: "/healthz",
    operationId: "getHealth",
    tag: "Operations",
    summary: "Health of the deployment",
    access: "public",
    reaches: "nothing",
    answers: {
      200: { description: "Every part answers", schema },
      503: { description: "The failing part is named", schema },
    },
    errors: [],
  });
  app.get("/healthz", health);
}
