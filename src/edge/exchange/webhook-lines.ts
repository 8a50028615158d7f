/** The lines of webhooks in an export, and what an import makes of them (RULES 15.1). No line has a secret. */
import type { WebhookLine } from "../../exchange/lines.ts";
import type { Database } from "../storage/database/database.ts";
import { idOfKey } from "../storage/webhooks/keys.ts";
import {
  insertImported,
  readWebhook,
  updateWebhook,
  type Change,
  type WebhookRow,
} from "../storage/webhooks/webhooks.ts";

/** Returns the line of a webhook. Whether it is enabled, and how it goes, is of this deployment and stays here. */
export function webhookLine({ id: key, url, events, models, name, createdAt }: WebhookRow): WebhookLine {
  return {
    kind: "webhook",
    ...{ id: idOfKey(key), url, events: JSON.parse(events) as string[] },
    ...(models !== null && { models: JSON.parse(models) as string[] }),
    ...(name !== "" && { name }),
    createdAt: new Date(createdAt).toISOString(),
  };
}

/**
 * The outcome of a line: `differs` if the space has another webhook under its id, `full` if it takes no more, `gone` if
 * it was removed meanwhile, or so lately that the sweep has not removed its row.
 */
export type ImportedWebhook = "imported" | "unchanged" | "differs" | "full" | "gone";

/**
 * Makes a webhook of a line, disabled and without a secret until a caller makes one. A second import changes nothing. If
 * the space has another one under its id, it gets what the line says if that is asked for, and keeps its state and secret.
 */
export async function importWebhook(
  db: Database,
  spaceId: string,
  line: WebhookLine,
  { isOverwriting = false, ...made }: Change & { isOverwriting?: boolean },
): Promise<ImportedWebhook> {
  const there = await readWebhook(db, spaceId, line.id);
  const { id, url, events, models = null, name = "" } = line;
  if (there) {
    const [ours, theirs] = [ordered(line), webhookLine(there)];
    if (JSON.stringify(theirs) === JSON.stringify(ours)) return "unchanged";
    if (!isOverwriting) return "differs";
    const { createdAt } = theirs;
    if (JSON.stringify(theirs) === JSON.stringify({ ...ours, createdAt })) return "unchanged";
    const isThere = await updateWebhook(db, spaceId, id, { url, events, models, name }, made);
    return isThere ? "imported" : "gone";
  }
  const webhook = { id, spaceId, url, events, models, name, createdAt: Date.parse(line.createdAt) };
  return insertImported(db, webhook, made);
}

/** Returns a line with its members in the order in which an export writes them. */
const ordered = ({ id, url, events, models, name, createdAt }: WebhookLine): WebhookLine => ({
  kind: "webhook",
  ...{ id, url, events },
  ...(models && { models }),
  ...(name && { name }),
  createdAt,
});
