/** The routes of spaces (RULES 2.1). Those of their settings are in settings.ts. */
import * as z from "zod";
import { ApiError } from "../../../errors.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import { byOf, byRoot } from "../../http/origin.ts";
import { closePage, lastIdOf, openPage } from "../../storage/pages/list-page.ts";
import { HISTORY, REMOTE, SHARDS, TRASH } from "../../../limits.ts";
import { invalidateCopies } from "../invalidation.ts";
import { mountSettings } from "./settings.ts";
import { settingsSchema } from "./settings-schema.ts";
import { askedShard, databasesOf, listSpaces, shardForNew } from "./shards.ts";
import { spaceNameSchema } from "../../spaces/names.ts";
import { changeSpace, createSpace, removeSpace, spaceView } from "../../spaces/spaces.ts";

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
  remoteBytes: z.int().min(0).max(REMOTE.bytesMax).optional().meta({
    default: REMOTE.bytesDefault,
    description:
      "The bytes of pictures of other servers that are kept; the least recently asked for go first",
  }),
});
const space = z
  .object({
    id: z.string(),
    name: z.string(),
    tenantId: z.string().nullable(),
    plan: z.object({ trashRetentionDays: z.int(), historyDays: z.int(), remoteBytes: z.int() }),
    settings: settingsSchema,
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
      reaches: "nothing",
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
      const created = await createSpace(databases, body, byRoot(c));
      return respond(c, spaceView(created, databases.shard), { status: 201 });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/spaces",
      access: "deployment",
      reaches: "nothing",
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
      reaches: "everything",
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
    async ({ c, caller, space, body }) => {
      c.set("changesCopies", true);
      const databases = databasesOf(c, c.get("shard"));
      const changed = await changeSpace(databases, space, body, byOf(c, caller));
      return respond(c, spaceView(changed, databases.shard));
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName",
      access: "root",
      reaches: "everything",
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
    async ({ c, caller, space, body }) => {
      if (body.confirm !== space.name) {
        throw new ApiError(
          "CONFIRMATION_REQUIRED",
          `Send {"confirm": "${space.name}"} to remove this space.`,
        );
      }
      await removeSpace(databasesOf(c, c.get("shard")), space, byOf(c, caller));
      invalidateCopies(c);
      return respond(c, { id: space.id, state: "removed" });
    },
  );

  mountSettings(app);
}
