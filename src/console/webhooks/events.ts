/** The events of webhooks in words, in groups as the form shows them. */
import type { WebhookEvent } from "../api/webhooks.ts";

const RECORD_EVENTS = {
  "record.created": "Created",
  "record.updated": "Changed",
  "record.published": "Published",
  "record.unpublished": "Unpublished",
  "record.trashed": "Put in the trash",
  "record.restored": "Restored",
  "record.removed": "Removed for good",
} as const;

const MEDIA_EVENTS = {
  "media.created": "Uploaded",
  "media.replaced": "File replaced",
  "media.updated": "Changed",
  "media.trashed": "Put in the trash",
  "media.restored": "Restored",
  "media.removed": "Removed for good",
} as const;

const MODEL_EVENTS = { "model.changed": "Changed" } as const;

/** Fails to compile when an event has no words. */
export const EVENT_WORDS: Record<Exclude<WebhookEvent, "*">, string> = {
  ...RECORD_EVENTS,
  ...MEDIA_EVENTS,
  ...MODEL_EVENTS,
};

type EventName = keyof typeof EVENT_WORDS;
const namesOf = (words: object): EventName[] => Object.keys(words) as EventName[];

export const EVENT_GROUPS: readonly { title: string; events: readonly EventName[] }[] = [
  { title: "Records", events: namesOf(RECORD_EVENTS) },
  { title: "Media", events: namesOf(MEDIA_EVENTS) },
  { title: "Models", events: namesOf(MODEL_EVENTS) },
];

/** The events after which a site that shows published content has to be built again. */
export const SITE_EVENTS: readonly EventName[] = [
  "record.published",
  "record.unpublished",
  "record.trashed",
  "record.restored",
];
