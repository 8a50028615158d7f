/** The route of a space's usage and the state of its queue (RULES 2.4). */
import * as z from "zod";
import { spaceQueue } from "../../config.ts";
import { answered } from "../../http/answered.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { readUsage } from "../../storage/spaces/usage.ts";

const usage = z
  .object({
    records: z.object({ active: z.int(), trashed: z.int() }).meta({ description: "Includes pages" }),
    media: z.object({ active: z.int(), trashed: z.int() }),
    storage: z.object({
      masterBytes: z.int().meta({ description: "Bytes of masters only; variants are not counted" }),
    }),
    variants: z.object({ ready: z.int(), waiting: z.int(), running: z.int(), failed: z.int() }),
    queue: z.object({ light: z.int(), heavy: z.int(), running: z.int() }),
    coldBudget: z.object({ used: z.int(), max: z.int() }),
  })
  .meta({ id: "Usage" });

export function mountUsage(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/usage",
      access: "read",
      doc: {
        operationId: "getUsage",
        tag: "Spaces",
        summary: "Read the space's usage and the state of its queue",
        answers: { 200: { description: "The usage", schema: oneOf(usage) } },
        errors: ["UNAVAILABLE"],
      },
    },
    async ({ c, space }) => {
      const [stored, queue] = await Promise.all([
        readUsage(c.get("db"), space.id),
        answered(spaceQueue(c.env, space.id).usage(), "The space's queue"),
      ]);
      const { lightWaiting, heavyWaiting, running } = queue;
      return respond(c, {
        records: stored.records,
        media: stored.media,
        storage: { masterBytes: stored.masterBytes },
        variants: {
          ready: stored.variants,
          waiting: lightWaiting + heavyWaiting,
          running,
          failed: queue.failuresRemembered,
        },
        queue: { light: lightWaiting, heavy: heavyWaiting, running },
        coldBudget: { used: queue.coldBudgetUsed, max: queue.coldBudgetMax },
      });
    },
  );
}
