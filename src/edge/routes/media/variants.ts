/** The route of the variants of a media item: stored, queued and failed ones. */
import * as z from "zod";
import { notFound } from "../../../errors.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { heightAt } from "../../../image/geometry/grid.ts";
import { VARIANT_FORMATS } from "../../../image/formats/registry.ts";
import { parseVariantFile, variantKey } from "../../../image/model/variant.ts";
import { VARIANT } from "../../../limits.ts";
import { spaceQueue } from "../../config.ts";
import { answered } from "../../http/answered.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { metaSchema } from "../../http/answers/pages.ts";
import { readMedia } from "../../storage/media/media.ts";
import { listVariants } from "../../storage/pictures/variant-list.ts";

const name = z.object({
  file: z.string().meta({ description: "The last segment of its address" }),
  width: z.int(),
  height: z.int(),
  format: z.enum(VARIANT_FORMATS),
  quality: z.int().nullable().meta({ description: "Null for PNG and GIF" }),
});

const storedVariant = name
  .extend({ sizeBytes: z.int(), createdAt: z.iso.datetime(), expiresAt: z.iso.datetime() })
  .meta({ id: "Variant" });

const queuedVariant = name
  .extend({
    lane: z.enum(["light", "heavy", "idle"]),
    state: z.enum(["waiting", "running"]),
    tries: z.int().meta({ description: "Calls of the builder so far" }),
  })
  .meta({ id: "QueuedVariant" });

const failedVariant = name
  .extend({
    reason: z.string(),
    retryAt: z.iso.datetime().meta({ description: "No build is tried before this time" }),
  })
  .meta({ id: "FailedVariant" });

const variantList = z.object({
  data: z.array(storedVariant),
  meta: metaSchema.extend({ queued: z.array(queuedVariant), failed: z.array(failedVariant) }),
});

const isoTime = (ms: number): string => new Date(ms).toISOString();

/**
 * Returns the properties in a variant's file name, and its height. An empty list for a name that no variant can have.
 */
function named<T extends { file: string }>(facts: MasterFacts, item: T) {
  const parsed = parseVariantFile(item.file);
  if (!parsed) return [];
  const { width, format, quality, crop, pad } = parsed;
  const height = heightAt(width, pad ?? crop?.ratio ?? facts);
  return [{ ...item, ...{ width, height, format, quality } }];
}

export function mountVariants(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/media/:mediaId/variants",
      access: "read",
      reaches: "media",
      doc: {
        operationId: "listVariants",
        tag: "Media",
        summary: "List the variants of a media item's present file, newest first",
        description:
          "All variants are on one page. `meta.queued` lists those that are waiting or being built. `meta.failed` lists those whose build failed recently.",
        answers: { 200: { description: "The variants", schema: variantList } },
        errors: ["UNAVAILABLE"],
      },
    },
    async ({ c, space }) => {
      const row = await readMedia(c.get("db"), space.id, c.req.param("mediaId") ?? "");
      if (!row) throw notFound("The media item");
      const address = { spaceId: space.id, mediaId: row.media.id, version: row.master.version };
      const [stored, missing] = await Promise.all([
        listVariants(c.get("db"), address, Date.now()),
        answered(spaceQueue(c.env, space.id).missingVariants(variantKey(address, "")), "The space's queue"),
      ]);
      const facts = JSON.parse(row.master.facts) as MasterFacts;
      const data = stored
        .flatMap((item) => named(facts, item))
        .map((item) => ({
          ...item,
          createdAt: isoTime(item.createdAt),
          expiresAt: isoTime(item.expiresAt),
        }));
      const queued = missing.queued
        .flatMap((item) => named(facts, item))
        .map(({ isRunning, ...item }) => ({ ...item, state: isRunning ? "running" : "waiting" }));
      const failed = missing.failed
        .flatMap((item) => named(facts, item))
        .map(({ until, ...item }) => ({ ...item, retryAt: isoTime(until) }));
      const meta = { nextCursor: null, limit: VARIANT.perMasterVersionMax, queued, failed };
      return respond(c, data, { meta });
    },
  );
}
