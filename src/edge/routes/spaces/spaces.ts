/** The routes of spaces and their settings (RULES 2.1, 2.2). */
import * as z from "zod";
import { ApiError } from "../../../errors.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import { closePage, lastIdOf, openPage } from "../../storage/pages/list-page.ts";
import { parseRatio } from "../../../image/geometry/aspect-ratio.ts";
import { QUALITIES } from "../../../image/model/variant.ts";
import { CROP, HISTORY, SHARDS, TRASH } from "../../../limits.ts";
import { purgeCopies } from "../purging.ts";
import { announceMaster } from "../media/media.ts";
import { askedShard, databasesOf, listSpaces, shardForNew } from "./shards.ts";
import { spaceNameSchema } from "../../spaces/names.ts";
import {
  changeSettings,
  changeSpace,
  createSpace,
  removeSpace,
  settingsOf,
  spaceView,
} from "../../spaces/spaces.ts";

const plan = z.strictObject({
  trashRetentionDays: z
    .int()
    .min(0)
    .max(TRASH.retentionMaxDays)
    .optional()
    .meta({ default: TRASH.retentionDefaultDays }),
  historyDays: z.int().min(0).max(HISTORY.maxDays).optional().meta({
    default: HISTORY.defaultDays,
    description: "How long earlier versions of records are kept",
  }),
});
const quality = z.literal([...QUALITIES]).meta({ type: "integer", enum: [...QUALITIES] });
const aspectRatio = z
  .string()
  .refine(
    (text) => parseRatio(text) !== null,
    `must be W:H, whole numbers from 1 to ${CROP.aspectRatioSideMax}`,
  );
const aspectRatios = z
  .array(aspectRatio)
  .min(1)
  .max(CROP.aspectRatiosMax)
  .refine((ratios) => new Set(ratios).size === ratios.length, "must be different from each other")
  .meta({ description: "The ratios `W:H` that crops may have" });
const suggestFocalPoint = z
  .boolean()
  .meta({ description: "Whether a focal point is suggested for pictures that have none" });
const prebuild = z.enum(["presets", "none"]).meta({
  description: "What is built after an upload, in idle time: the preset widths in AVIF and WebP, or nothing",
});
const settings = z
  .object({
    adaptiveLoading: z.boolean(),
    compression: z.boolean(),
    quality,
    aspectRatios,
    suggestFocalPoint,
    prebuild,
  })
  .meta({ id: "SpaceSettings" });
const space = z
  .object({
    id: z.string(),
    name: z.string(),
    tenantId: z.string().nullable(),
    plan: z.object({ trashRetentionDays: z.int(), historyDays: z.int() }),
    settings,
    shard: z.int().meta({ description: "The number of the database that the space stands on" }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Space" });
const listedSpace = space
  .extend({ databaseBytes: z.int().meta({ description: "The size of that database" }) })
  .meta({ id: "ListedSpace" });

const tag = "Spaces";

export function mountSpaces(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/spaces",
      access: "deployment",
      body: z.strictObject({
        name: spaceNameSchema,
        tenantId: spaceNameSchema.optional(),
        plan: plan.optional(),
        shard: z
          .int()
          .min(0)
          .max(SHARDS.databasesMax - 1)
          .optional()
          .meta({ description: "The number of its database. By default, the one with the fewest bytes" }),
      }),
      doc: {
        operationId: "createSpace",
        tag,
        summary: "Create a space",
        answers: { 201: { description: "The new space", schema: oneOf(space) } },
        errors: ["CONFLICT", "UNAVAILABLE"],
      },
    },
    async ({ c, body }) => {
      const databases = databasesOf(
        c,
        body.shard === undefined ? await shardForNew(c) : askedShard(c, body.shard),
      );
      const created = await createSpace(databases, body, Date.now());
      return respond(c, spaceView(created, databases.shard), { status: 201 });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/spaces",
      access: "deployment",
      query: z.strictObject(pageQuery),
      doc: {
        operationId: "listSpaces",
        tag,
        summary: "List spaces, newest first",
        answers: { 200: { description: "A page of spaces", schema: listOf(listedSpace) } },
        errors: ["INVALID_CURSOR", "UNAVAILABLE"],
      },
    },
    async ({ c, query }) => {
      const page = await openPage(c.env.CURSOR_SECRET, ["spaces"], query);
      const found = await listSpaces(c, page.limit + 1, lastIdOf(page));
      const { rows, meta } = await closePage(page, found, ({ space }) => [space.id]);
      const views = rows.map(({ space, shard, databaseBytes }) => ({
        ...spaceView(space, shard),
        databaseBytes,
      }));
      return respond(c, views, { meta });
    },
  );

  endpoint(
    app,
    {
      method: "patch",
      path: "/api/v1/:spaceName",
      access: "root",
      body: z.strictObject({ name: spaceNameSchema.optional(), plan: plan.optional() }),
      doc: {
        operationId: "updateSpace",
        tag,
        summary: "Rename a space or change its plan",
        description: "Earlier names and the tenant id keep working on the image endpoint.",
        answers: { 200: { description: "The changed space", schema: oneOf(space) } },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, space, body }) => {
      c.set("changesCopies", true);
      const databases = databasesOf(c, c.get("shard"));
      return respond(c, spaceView(await changeSpace(databases, space, body, Date.now()), databases.shard));
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName",
      access: "root",
      body: z.strictObject({
        confirm: z.string().meta({ description: "The space's name" }),
      }),
      doc: {
        operationId: "deleteSpace",
        tag,
        summary: "Remove a space and everything in it",
        answers: {
          200: {
            description: "Removed",
            schema: oneOf(z.object({ id: z.string(), state: z.literal("removed") })),
          },
        },
        errors: ["CONFIRMATION_REQUIRED"],
      },
    },
    async ({ c, space, body }) => {
      if (body.confirm !== space.name) {
        throw new ApiError(
          "CONFIRMATION_REQUIRED",
          `Send {"confirm": "${space.name}"} to remove this space.`,
        );
      }
      await removeSpace(databasesOf(c, c.get("shard")), space, Date.now());
      purgeCopies(c);
      return respond(c, { id: space.id, state: "removed" });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/settings",
      access: "read",
      doc: {
        operationId: "getSettings",
        tag,
        summary: "Read the media settings",
        answers: { 200: { description: "The settings", schema: oneOf(settings) } },
        errors: [],
      },
    },
    ({ c, space }) => respond(c, settingsOf(space)),
  );

  endpoint(
    app,
    {
      method: "patch",
      path: "/api/v1/:spaceName/settings",
      access: "admin",
      body: z.strictObject({
        adaptiveLoading: z.boolean().optional(),
        compression: z.boolean().optional(),
        quality: quality.optional(),
        aspectRatios: aspectRatios.optional(),
        suggestFocalPoint: suggestFocalPoint.optional(),
        prebuild: prebuild.optional(),
      }),
      doc: {
        operationId: "updateSettings",
        tag,
        summary: "Change the media settings",
        answers: { 200: { description: "The settings", schema: oneOf(settings) } },
        errors: [],
      },
    },
    async ({ c, space, body }) => {
      const changed = await changeSettings(c.get("db"), space, body, Date.now());
      purgeCopies(c);
      if (changed.suggestFocalPoint && !space.suggestFocalPoint) announceMaster(c, space);
      return respond(c, settingsOf(changed));
    },
  );
}
