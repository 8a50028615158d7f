/** The schemas of webhooks and their deliveries (RULES 15.1). */
import * as z from "zod";
import { textSchema } from "../../../content/text/text.ts";
import { WEBHOOKS } from "../../../limits.ts";
import type { AppContext } from "../../http/context.ts";
import type { Call } from "../../http/endpoint.ts";
import { originOf } from "../../http/origin.ts";
import { isUlid } from "../../http/requests/ids.ts";
import { notFound } from "../../../errors.ts";
import { ALL_EVENTS, WEBHOOK_EVENTS } from "../../webhooks/messages.ts";
import { TARGET_RULE } from "../../webhooks/target.ts";
import type { WebhookTools } from "../../webhooks/webhooks.ts";

const eventType = z.enum([...WEBHOOK_EVENTS, ALL_EVENTS]);

const url = z
  .string()
  .max(WEBHOOKS.urlMaxCharacters)
  .meta({ description: `The address: it ${TARGET_RULE}` });
const events = z
  .array(eventType)
  .min(1)
  .max(WEBHOOK_EVENTS.length + 1)
  .meta({ description: "The types of events that it gets; `*` for all" });
const models = z
  .array(textSchema(WEBHOOKS.modelNameMaxCharacters, 1))
  .min(1)
  .max(WEBHOOKS.modelsMax)
  .nullable()
  .meta({ description: "Narrows events of records and models to these models. Null for all" });
const name = textSchema(WEBHOOKS.nameMaxCharacters);

export const createBody = z.strictObject({
  url,
  events,
  models: models.optional(),
  name: name.optional(),
});

export const changeBody = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  models: models.optional(),
  name: name.optional(),
  enabled: z
    .boolean()
    .optional()
    .meta({ description: "A webhook that is enabled again gets the events from then on" }),
  secret: z.literal("rotate").optional().meta({
    description: "Makes a new secret, which this answer shows. The one before signs too for 24 hours",
  }),
});

export const webhook = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(eventType),
    models: z.array(z.string()).nullable(),
    enabled: z.boolean(),
    disabledReason: z
      .string()
      .nullable()
      .meta({ description: "Why the service has disabled it; null if a caller has" }),
    disabledAt: z.iso.datetime().nullable(),
    failingSince: z.iso
      .datetime()
      .nullable()
      .meta({ description: "The first failed attempt since the last that came through" }),
    hasSecret: z.boolean(),
    previousSecretUntil: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Until then the secret before signs too" }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Webhook" });

export const shownSecret = z.string().meta({
  description: "The signing secret, `whsec_…`, as the libraries of Standard Webhooks take it",
});

export const delivery = z
  .object({
    id: z.string().meta({ description: "Also the header `webhook-id`, the same in each attempt" }),
    event: z.string(),
    state: z.enum(["pending", "delivered", "failed"]),
    attempts: z.array(
      z.object({
        at: z.iso.datetime(),
        status: z.int().nullable(),
        ms: z.int(),
        error: z.string().nullable(),
      }),
    ),
    data: z.looseObject({}).meta({ description: "The facts, without the space and the address" }),
    createdAt: z.iso.datetime().meta({ description: "The time of the event" }),
    nextAttemptAt: z.iso.datetime().nullable().meta({
      description: "Null once it is settled, and while an earlier event of the same record is pending",
    }),
  })
  .meta({ id: "WebhookDelivery" });

type Entered = Pick<Call<unknown, unknown>, "c" | "space" | "caller">;

/** Returns an id of the path. @throws ApiError NOT_FOUND for one that nothing can have */
export function idOf(c: AppContext, parameter: string, what: string): string {
  const id = c.req.param(parameter) ?? "";
  if (!isUlid(id)) throw notFound(what);
  return id;
}

export const toolsOf = ({ c, space, caller }: Entered): WebhookTools => ({
  db: c.get("db"),
  spaceId: space.id,
  origin: originOf(c, caller),
  cursorSecret: c.env.CURSOR_SECRET,
  rules: { isLocal: c.env.LOCAL === "1" },
  now: Date.now(),
});
