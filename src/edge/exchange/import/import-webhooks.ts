/** Puts webhooks into a space (RULES 15.1): disabled, and without a secret until a caller makes one. */
import * as z from "zod";
import { WEBHOOKS } from "../../../limits.ts";
import { importWebhook } from "../webhook-lines.ts";
import type { ImportContext, Numbered } from "./context.ts";
import { time, ulid } from "./line-schemas.ts";

/** The part of a webhook that its owner chooses, as the route reads it. */
export interface WebhookChoiceIn {
  url: string;
  events: string[];
  models?: string[] | null | undefined;
  name?: string | undefined;
}

export const webhookFrame = z.object({ kind: z.literal("webhook"), id: ulid, createdAt: time });

export type WebhookIn = WebhookChoiceIn & z.output<typeof webhookFrame>;

export async function importWebhooks(
  context: ImportContext,
  lines: readonly Numbered<WebhookIn>[],
): Promise<void> {
  const { db, space, origin, report } = context;
  for (const { n, line } of lines) {
    if (context.isSpent) {
      context.leave([{ n }]);
      continue;
    }
    const { kind, id, url, events, models, name, createdAt } = line;
    const webhook = {
      ...{ kind, id, url, events, createdAt: new Date(createdAt).toISOString() },
      ...(models && { models }),
      ...(name !== undefined && { name }),
    };
    const outcome = await importWebhook(db, space.id, webhook, {
      ...{ origin, now: context.now(), isOverwriting: context.isOverwriting },
    });
    switch (outcome) {
      case "imported":
        report.imported(id);
        break;
      case "unchanged":
        report.unchanged();
        break;
      case "differs":
        report.differs(n, "", "the space has another webhook under this id");
        break;
      case "full":
        report.refuse(n, "", `a space has at most ${WEBHOOKS.perSpaceMax} webhooks. Remove one first`);
        break;
      case "gone":
        report.refuse(n, "id", "was removed a moment ago. Send the line again in a minute");
        break;
      default:
        outcome satisfies never;
    }
  }
}
