/**
 * The story of an import (RULES 18.4): lines are checked, and put into the space by their kinds, because a record needs
 * its model, and an event its record. Each batch is whole, and a line that is there already changes nothing, so a run that
 * broke is repeated.
 */
import type * as z from "zod";
import { without } from "../../../content/locales/without.ts";
import { faultMessage } from "../../../content/faults/fault-message.ts";
import type { ImportResult } from "../../../exchange/lines.ts";
import { EXCHANGE } from "../../../limits.ts";
import type { ImportContext, Numbered } from "./context.ts";
import { importMedia } from "./import-media.ts";
import {
  importModels,
  importSpace,
  spaceSchema,
  type ModelIn,
  type SettingsIn,
  type SpaceIn,
} from "./import-models.ts";
import { importLocale } from "./import-locale.ts";
import { importPublished } from "./records/import-published.ts";
import { importRecords } from "./records/import-records.ts";
import { importVersionLocale, importVersions } from "./import-versions.ts";
import { importWebhooks, webhookFrame, type WebhookChoiceIn, type WebhookIn } from "./import-webhooks.ts";
import {
  localeSchema,
  mediaSchema,
  publishedSchema,
  recordSchema,
  time,
  trashedMediaSchema,
  trashedRecordSchema,
  versionSchema,
  type MediaIn,
  type RecordIn,
} from "./line-schemas.ts";
import { valueOf, weightOf, type RawLine } from "./raw-line.ts";

/** The schemas that belong to routes: a line has models, settings and webhooks in the form of their requests. */
export interface RouteSchemas {
  model: z.ZodType<Omit<ModelIn, "options" | "version" | "createdAt" | "updatedAt" | "given">>;
  settings: z.ZodType<Record<string, unknown>>;
  webhook: z.ZodType<WebhookChoiceIn>;
}

/** A line of a record or of its history. It waits for its turn as bytes, and as a value where there is room for it. */
interface WaitingLine {
  raw: RawLine;
  weight: number;
  value: Members | null;
}

/** The lines of an import by their kinds. */
interface Sorted {
  spaces: (Numbered<SpaceIn> & { settings: SettingsIn })[];
  models: Numbered<ModelIn>[];
  media: Numbered<MediaIn>[];
  records: WaitingLine[];
  published: WaitingLine[];
  versions: WaitingLine[];
  locales: WaitingLine[];
  webhooks: Numbered<WebhookIn>[];
}

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Puts lines into a space. */
export async function importLines(
  context: ImportContext,
  lines: readonly RawLine[],
  schemas: RouteSchemas,
): Promise<ImportResult> {
  const sorted = sort(context, lines, schemas);
  for (const one of sorted.spaces) await importSpace(context, one, one.settings);
  if (sorted.models.length > 0) await importModels(context, sorted.models);
  await importMedia(context, sorted.media);
  await inTurn<RecordIn>(
    context,
    sorted.records,
    ({ kind }) => (kind === "trash" ? trashedRecordSchema : recordSchema),
    (some) => importRecords(context, some),
  );
  await inTurn(
    context,
    sorted.published,
    () => publishedSchema,
    (some) => importPublished(context, some),
  );
  await inTurn(
    context,
    sorted.versions,
    () => versionSchema,
    (some) => importVersions(context, some),
  );
  await inTurn(
    context,
    sorted.locales,
    () => localeSchema,
    async (some) => {
      for (const one of some) {
        if (context.isSpent) context.leave([one]);
        else if (one.line.kind === "version") await importVersionLocale(context, one);
        else await importLocale(context, one);
      }
    },
  );
  await importWebhooks(context, sorted.webhooks);
  return context.report.result();
}

function sort(context: ImportContext, lines: readonly RawLine[], schemas: RouteSchemas): Sorted {
  const { report } = context;
  const sorted: Sorted = {
    spaces: [],
    models: [],
    media: [],
    records: [],
    published: [],
    versions: [],
    locales: [],
    webhooks: [],
  };
  let room: number = EXCHANGE.valuesMaxBytes;
  for (const raw of lines) {
    const read = valueOf(raw);
    if (read === null) continue;
    if ("fault" in read) report.refuse(raw.n, "", read.fault);
    else if (!isObject(read.value)) report.refuse(raw.n, "", "must be an object");
    else {
      const weight = weightOf(raw);
      const isHeld = weight <= room;
      const later = sortOne(context, raw.n, read.value, schemas, sorted);
      later?.push({ raw, weight, value: isHeld ? read.value : null });
      if (later && isHeld) room -= weight;
    }
  }
  return sorted;
}

/** Parses lines after their schema, as many at a time as have few enough bytes as values, and puts them into the space. */
async function inTurn<Line>(
  context: ImportContext,
  lines: readonly WaitingLine[],
  schemaOf: (value: Members) => z.ZodType<Line>,
  write: (lines: readonly Numbered<Line>[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < lines.length;) {
    const some: Numbered<Line>[] = [];
    let bytes = 0;
    for (let next = lines[at]; next; next = lines[++at]) {
      bytes += next.weight;
      if (some.length > 0 && bytes > EXCHANGE.valuesMaxBytes) break;
      const { n } = next.raw;
      const value = next.value ?? membersOf(next.raw);
      next.value = null;
      const line = parsed(context, n, schemaOf(value), value);
      if (line !== null) some.push({ n, line });
    }
    await write(some);
  }
}

/** Returns the members of a line that was parsed before, and was an object. */
function membersOf(raw: RawLine): Members {
  const read = valueOf(raw);
  return read && "value" in read && isObject(read.value) ? read.value : {};
}

/** Returns the line after its schema; null, with its faults listed, if it does not fit. */
function parsed<Schema extends z.ZodType>(
  { report }: ImportContext,
  n: number,
  schema: Schema,
  value: unknown,
  prefix = "",
): z.output<Schema> | null {
  const outcome = schema.safeParse(value, { error: faultMessage });
  if (outcome.success) return outcome.data;
  const details = outcome.error.issues.map((issue) => ({
    path: issue.path.map(String).join("."),
    message:
      issue.code === "unrecognized_keys" ? `${issue.keys.join(", ")} is not known here` : issue.message,
  }));
  report.refuseAll(n, details, prefix);
  return null;
}

/** Takes a line. @returns the list in which it waits, if it is of a record; null for one that was taken, or refused */
function sortOne(
  context: ImportContext,
  n: number,
  value: Members,
  schemas: RouteSchemas,
  sorted: Sorted,
): WaitingLine[] | null {
  const { report } = context;
  const add = <Line>(list: Numbered<Line>[], schema: z.ZodType<Line>): void => {
    const line = parsed(context, n, schema, value);
    if (line !== null) list.push({ n, line });
  };
  const hasLocale = Object.hasOwn(value, "locale");
  switch (value["kind"]) {
    case "space":
      sortSpace(context, n, value, schemas, sorted);
      return null;
    case "model":
      sortModel(context, n, value, schemas, sorted);
      return null;
    case "media":
      add(sorted.media, mediaSchema);
      return null;
    case "record":
      return hasLocale ? sorted.locales : sorted.records;
    case "published":
      return hasLocale ? sorted.locales : sorted.published;
    case "version":
      return hasLocale ? sorted.locales : sorted.versions;
    case "trash":
      if (hasLocale) return sorted.locales;
      if (value["of"] !== "media") return sorted.records;
      add(sorted.media, trashedMediaSchema);
      return null;
    case "webhook": {
      const { kind, id, createdAt, ...choice } = value;
      const frame = parsed(context, n, webhookFrame, { kind, id, createdAt });
      const chosen = frame && parsed(context, n, schemas.webhook, choice);
      if (chosen) sorted.webhooks.push({ n, line: { ...chosen, ...frame } });
      return null;
    }
    case "end":
      return null;
    default:
      report.refuse(
        n,
        "kind",
        "must be space, model, media, record, published, version, trash, webhook or end",
      );
      return null;
  }
}

function sortSpace(
  context: ImportContext,
  n: number,
  value: Members,
  schemas: RouteSchemas,
  sorted: Sorted,
): void {
  const line = parsed(context, n, spaceSchema, value);
  const settings = line && parsed(context, n, schemas.settings, line.settings, "settings");
  if (!line || !settings) return;
  const { locales, ...others } = settings as SettingsIn["settings"] & Pick<SettingsIn, "locales">;
  sorted.spaces.push({ n, line, settings: { settings: others, locales } });
}

function sortModel(
  context: ImportContext,
  n: number,
  value: Members,
  schemas: RouteSchemas,
  sorted: Sorted,
): void {
  const { version, createdAt, updatedAt } = value;
  const body = without(value, "kind", "version", "createdAt", "updatedAt");
  const model = parsed(context, n, schemas.model, body);
  const times = { createdAt: time.safeParse(createdAt), updatedAt: time.safeParse(updatedAt) };
  if (!model) return;
  if (!Number.isSafeInteger(version) || Number(version) < 1) {
    context.report.refuse(n, "version", "must be a whole number from 1");
    return;
  }
  for (const [name, parsedTime] of Object.entries(times)) {
    if (!parsedTime.success) {
      context.report.refuse(n, name, "must be a time in ISO 8601");
      return;
    }
  }
  const { typeModel, name, fields, ...options } = model;
  sorted.models.push({
    n,
    line: {
      ...{ typeModel, name, fields, options, given: value, version: Number(version) },
      createdAt: times.createdAt.data ?? 0,
      updatedAt: times.updatedAt.data ?? 0,
    },
  });
}
