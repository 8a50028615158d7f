/** The route of a space's usage and the state of its queue (RULES 2.4). */
import * as z from "zod";
import { QUEUE } from "../../../limits.ts";
import { spaceQueue } from "../../config.ts";
import { answered } from "../../http/answered.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { checkBudget, payForRows } from "../../lists/scan-budget.ts";
import type { QueueUsage } from "../../messages.ts";
import type { Space } from "../../spaces/authorize.ts";
import type { Database } from "../../storage/database/database.ts";
import type { Scopes } from "../../storage/spaces/scopes.ts";
import { countRecordsInside, readUsage, type StoredUsage } from "../../storage/spaces/usage.ts";
import { payerOfSpace } from "../records/payer.ts";

const usage = z
  .object({
    records: z.object({ active: z.int(), trashed: z.int() }).meta({ description: "Includes pages" }),
    media: z.object({ active: z.int(), trashed: z.int() }),
    storage: z.object({
      masterBytes: z.int().meta({ description: "Bytes of masters only; variants are not counted" }),
    }),
    remote: z
      .object({ pictures: z.int(), bytes: z.int(), maxBytes: z.int() })
      .meta({ description: "Pictures of other servers, which are no media items" }),
    variants: z.object({ ready: z.int(), waiting: z.int(), running: z.int(), failed: z.int() }),
    queue: z.object({ light: z.int(), heavy: z.int(), running: z.int() }),
    coldBudget: z.object({ used: z.int(), max: z.int() }),
  })
  .meta({ id: "Usage" });

/** The queue of a space, for a caller that may see no media. */
const IDLE: QueueUsage = {
  lightWaiting: 0,
  heavyWaiting: 0,
  running: 0,
  failuresRemembered: 0,
  coldBudgetUsed: 0,
  coldBudgetMax: QUEUE.coldPerSpaceMax,
};

/** Returns the usage of what is inside the scopes. Records are counted only for callers whose scopes name models. */
async function usageInside(db: Database, space: Space, scopes: Scopes): Promise<StoredUsage> {
  const stored = await readUsage(db, space.id);
  const ofMedia = scopes.media === "none" ? NO_MEDIA : {};
  if (scopes.models === null) return { ...stored, ...ofMedia };
  const payer = payerOfSpace(space);
  checkBudget(payer, Date.now());
  const { rowsRead, ...records } = await countRecordsInside(db, space.id, scopes);
  payForRows(rowsRead, payer, Date.now());
  return { ...stored, records, ...ofMedia };
}

const NO_MEDIA = {
  media: { active: 0, trashed: 0 },
  masterBytes: 0,
  variants: 0,
  remote: { pictures: 0, bytes: 0 },
};

export function mountUsage(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/usage",
      access: "read",
      reaches: "usage",
      doc: {
        operationId: "getUsage",
        tag: "Spaces",
        summary: "Read the space's usage and the state of its queue",
        answers: { 200: { description: "The usage", schema: oneOf(usage) } },
        errors: ["UNAVAILABLE"],
      },
    },
    async ({ c, caller, space }) => {
      const { scopes } = caller;
      const [stored, queue] = await Promise.all([
        usageInside(c.get("db"), space, scopes),
        scopes.media === "none" ? IDLE : answered(spaceQueue(c.env, space.id).usage(), "The space's queue"),
      ]);
      const { lightWaiting, heavyWaiting, running } = queue;
      return respond(c, {
        records: stored.records,
        media: stored.media,
        storage: { masterBytes: stored.masterBytes },
        remote: { ...stored.remote, maxBytes: space.remoteBytes },
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
