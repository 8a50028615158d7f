/** The routes of a space's move to another database (RULES 12.6). */
import * as z from "zod";
import { MOVE, SHARDS } from "../../../limits.ts";
import { spaceQueue } from "../../config.ts";
import { oneOf } from "../../http/answers/pages.ts";
import type { AppContext } from "../../http/context.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { byOf } from "../../http/origin.ts";
import { workThrough } from "../../shards/moves/advance.ts";
import type { Worked } from "../../shards/moves/move.ts";
import { orderMove, readMoveView, type MoveView } from "../../shards/moves/order.ts";
import { askedShard } from "./shards.ts";

const move = z
  .object({
    shard: z.int().meta({ description: "The number of the database that the space stands on" }),
    state: z.enum(["none", "copying", "switching", "done", "stayed"]).meta({
      description:
        "`copying`: the space is read and written where it stands. `switching`: writes are refused for at most 5 " +
        "seconds. `stayed`: the move was given up, and the space is where it was",
    }),
    move: z.int().meta({ description: "The number of the move; 0 for none" }),
    from: z.int().nullable(),
    to: z.int().nullable(),
    rows: z.object({ copied: z.int(), total: z.int() }),
    progress: z.number().meta({ description: "The part that is done, from 0 to 1" }),
    startedAt: z.iso.datetime().nullable(),
    endedAt: z.iso.datetime().nullable(),
    reason: z.string().nullable().meta({ description: "Why it waits, or was given up" }),
  })
  .meta({ id: "Move" });

const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const rendered = (view: MoveView) => ({
  ...view,
  startedAt: isoTime(view.startedAt),
  endedAt: isoTime(view.endedAt),
});

/** Begins the move beside the answer. The sweep goes on with it. */
function beginSoon(c: AppContext, from: number, spaceId: string): void {
  const work = (): Promise<Worked> => spaceQueue(c.env, spaceId).workOnMove(spaceId, from);
  const begun = workThrough([spaceId], work, { until: Date.now() + MOVE.besideMs, clock: Date.now }).catch(
    (error: unknown) => {
      console.error(JSON.stringify({ event: "move-failed", spaceId, reason: String(error) }));
    },
  );
  c.executionCtx.waitUntil(begun);
}

const tag = "Spaces";

export function mountMove(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/move",
      access: "root",
      reaches: "everything",
      body: z.strictObject({
        shard: z
          .int()
          .min(0)
          .max(SHARDS.databasesMax - 1)
          .meta({ description: "The number of the database to which the space is moved" }),
      }),
      doc: {
        operationId: "moveSpace",
        tag,
        summary: "Move a space to another database, while it is read and written",
        description:
          "The number of the space's own database withdraws a move that goes on. For at most 5 seconds at the end, " +
          "writes are answered with 503 and `Retry-After`.",
        answers: { 202: { description: "The move is ordered", schema: oneOf(move) } },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, caller, space, body }) => {
      const from = c.get("shard");
      const asked = { spaceId: space.id, from, to: askedShard(c, body.shard) };
      await orderMove(c.env, asked, byOf(c, caller));
      const view = await readMoveView(c.env, space.id, from);
      beginSoon(c, from, space.id);
      return respond(c, rendered(view), { status: 202 });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/move",
      access: "root",
      reaches: "everything",
      doc: {
        operationId: "getMove",
        tag,
        summary: "Read how far the move of a space is",
        answers: { 200: { description: "The last move", schema: oneOf(move) } },
        errors: [],
      },
    },
    async ({ c, space }) => respond(c, rendered(await readMoveView(c.env, space.id, c.get("shard")))),
  );
}
