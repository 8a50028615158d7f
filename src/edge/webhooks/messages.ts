/**
 * The messages of webhooks (RULES 15.3): which event is told to which webhook, and with which facts. A message says what
 * has changed and where; its content is read with a key that may read it.
 */
import type { EventRow, NewDelivery } from "../storage/webhooks/rows.ts";

/** The types of events that a webhook may ask for. */
export const WEBHOOK_EVENTS = [
  "record.created",
  "record.updated",
  "record.published",
  "record.unpublished",
  "record.trashed",
  "record.restored",
  "record.removed",
  "media.created",
  "media.replaced",
  "media.updated",
  "media.trashed",
  "media.restored",
  "media.removed",
  "model.changed",
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Stands for all of them. */
export const ALL_EVENTS = "*";

const isWebhookEvent = (action: string): action is WebhookEvent =>
  (WEBHOOK_EVENTS as readonly string[]).includes(action);

/** Actions on a model, of which receivers are told that it changed. */
const MODEL_CHANGES: readonly string[] = ["model.created", "model.renamed", "model.removed"];

/** The facts of an event, as they were written in the batch of the change. */
interface Facts {
  version?: number;
  locales?: readonly string[];
  changed?: readonly string[];
  masterVersion?: number;
  /** Set by an import: no webhook is told of its records, since they are not new. */
  silent?: boolean;
}

/** Returns the type of the event that receivers are told; null if an action is no business of theirs. */
export function typeOfAction(action: string): WebhookEvent | null {
  if (MODEL_CHANGES.includes(action)) return "model.changed";
  return isWebhookEvent(action) ? action : null;
}

/** The part of a webhook that says which events it gets. */
export interface Wanted {
  events: readonly string[];
  /** Null for all models. */
  models: readonly string[] | null;
}

/** Splits `collections/articles`. */
function modelOf(targetModel: string | null): { typeModel: string | null; model: string | null } {
  const [typeModel = null, model = null] = targetModel?.split("/") ?? [];
  return { typeModel, model };
}

/** Returns the delivery of an event to a webhook; null if the webhook does not ask for it. */
export function deliveryOf(event: EventRow, { events, models }: Wanted): NewDelivery | null {
  const type = typeOfAction(event.action);
  const facts = JSON.parse(event.facts) as Facts;
  if (type === null || facts.silent === true) return null;
  if (!events.includes(ALL_EVENTS) && !events.includes(type)) return null;
  const { typeModel, model } = modelOf(event.targetModel);
  const isMedia = type.startsWith("media.");
  if (!isMedia && models !== null && (model === null || !models.includes(model))) return null;
  const lane = [event.targetKind, event.targetModel ?? "", event.targetId].join(":");
  const common = { eventNo: event.no, type, lane, at: event.at };
  const { version = null, locales = [], changed = [], masterVersion = null } = facts;
  if (isMedia) return { ...common, data: { id: event.targetId, masterVersion } };
  if (type === "model.changed") return { ...common, data: { typeModel, model, version } };
  return { ...common, data: { typeModel, model, id: event.targetId, version, locales, changed } };
}

/** A delivery as it is stored. */
export interface StoredMessage {
  type: string;
  /** Milliseconds since 1970. */
  at: number;
  /** JSON. */
  data: string;
}

/** The part of a message that is known only when it is sent. */
export interface MessagePlace {
  spaceName: string;
  /** The beginning of absolute addresses; empty for paths. */
  base: string;
}

function addressOf(type: string, data: Record<string, unknown>, { spaceName, base }: MessagePlace) {
  const space = `${base}/api/v1/${spaceName}`;
  if (type.startsWith("media.")) return `${space}/pictures/${String(data["id"])}`;
  return `${space}/data/${String(data["typeModel"])}/${String(data["model"])}/${String(data["id"])}`;
}

/** Returns the body of a delivery. */
export function bodyOf({ type, at, data }: StoredMessage, place: MessagePlace): string {
  const facts = JSON.parse(data) as Record<string, unknown>;
  const hasAddress = type.startsWith("record.") || type.startsWith("media.");
  return JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      space: place.spaceName,
      ...facts,
      ...(hasAddress && { url: addressOf(type, facts, place) }),
    },
  });
}
