/** Whether this deployment can serve: D1, R2 and the builder answer (completion §6). */
import { z } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import { buildRoom } from "../config.ts";
import type { AppContext } from "../http/context.ts";
import type { App } from "../http/endpoint.ts";
import { describeEndpoint } from "../http/openapi.ts";

const HEALTH_ROOM = "healthz";

async function works(check: Promise<unknown>): Promise<"ok" | "failing"> {
  try {
    await check;
    return "ok";
  } catch {
    return "failing";
  }
}

async function health(c: AppContext): Promise<Response> {
  const [builder, database, bucket] = await Promise.all([
    works(buildRoom(c.env, HEALTH_ROOM, 0).ping()),
    works(c.get("db").run(sql`SELECT 1`)),
    works(c.env.BUCKET.head(HEALTH_ROOM)),
  ]);
  const allWell = [builder, database, bucket].every((state) => state === "ok");
  const body = {
    status: allWell ? "ok" : "failing",
    builder,
    database,
    bucket,
    version: c.env.VERSION ?? "unknown",
  };
  return c.json(body, allWell ? 200 : 503, { "Cache-Control": "no-store" });
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
    tag: "Operations",
    summary: "Health of the deployment",
    access: "public",
    answers: {
      200: { description: "Every part answers", schema },
      503: { description: "The failing part is named", schema },
    },
    errors: [],
  });
  app.get("/healthz", health);
}
