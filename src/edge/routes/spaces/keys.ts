/** The routes of a space's API keys (RULES 2.3). */
import * as z from "zod";
import { KEY } from "../../../limits.ts";
import { endpoint, openEndpoint, respond, type App } from "../../http/endpoint.ts";
import { byOf } from "../../http/origin.ts";
import { authorizingReads } from "../../http/space-database.ts";
import { textSchema } from "../../../content/text/text.ts";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import { closePage, lastIdOf, openPage } from "../../storage/pages/list-page.ts";
import { ROLES } from "../../spaces/roles.ts";
import { findCaller } from "../../spaces/authorize.ts";
import { admit } from "../../spaces/gate.ts";
import { callerView, createKey, keyView, listKeys, revokeKey } from "../../spaces/keys.ts";
import { futureTime, scopesGiven, scopesOf, scopesShown, scopesSuitRole } from "./scopes-schema.ts";

const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    scopes: scopesShown,
    expiresAt: z.iso.datetime().nullable().meta({ description: "When the key ends by itself" }),
    createdAt: z.iso.datetime(),
    maker: z
      .object({ kind: z.enum(["key", "member", "root"]), id: z.string() })
      .nullable()
      .meta({
        description:
          "The key or member that made it, or a root member by its address, or `root`. Null for keys of earlier versions",
      }),
  })
  .meta({ id: "ApiKey" });

const newKey = z
  .strictObject({
    name: textSchema(KEY.nameMaxCharacters, 1),
    role: z.enum(ROLES),
    scopes: scopesGiven.nullish(),
    expiresAt: futureTime.nullish(),
  })
  .superRefine(scopesSuitRole);

const caller = z
  .object({
    id: z.string().nullable().meta({ description: "Null for the root token and for sessions" }),
    name: z.string(),
    role: z.enum([...ROLES, "root"]),
    space: z.string(),
    scopes: scopesOf.optional().meta({ description: "Left out for the whole space" }),
    expiresAt: z.iso.datetime().optional().meta({ description: "When the key or session ends by itself" }),
    member: z
      .object({ id: z.string().nullable(), email: z.string() })
      .optional()
      .meta({ description: "The person of a session. The id of a root member is null" }),
  })
  .meta({ id: "Caller" });

const tag = "Keys";

export function mountKeys(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/keys",
      access: "admin",
      reaches: "everything",
      body: newKey,
      doc: {
        operationId: "createKey",
        tag,
        summary: "Create a key; only this answer shows it",
        description:
          "`scopes` limit what the key reaches: outside of them models are 404, as if they were not there, locales 403, " +
          "media 404 with `none` and read-only with `read`; `publish: false` changes no record that readers see. They " +
          "exclude the role `admin`. A key that ends makes no keys that last longer.",
        answers: {
          201: { description: "The key", schema: oneOf(apiKey.extend({ key: z.string() })) },
        },
        errors: [],
      },
    },
    async ({ c, caller, body }) => {
      const { scopes = null, expiresAt = null, ...rest } = body;
      const input = { ...rest, scopes, expiresAt: expiresAt === null ? null : Date.parse(expiresAt) };
      const { row, key } = await createKey(c.get("db"), caller, input, byOf(c, caller));
      return respond(c, { ...keyView(row), key }, { status: 201 });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/keys",
      access: "admin",
      reaches: "everything",
      query: z.strictObject(pageQuery),
      doc: {
        operationId: "listKeys",
        tag,
        summary: "List keys, newest first",
        answers: {
          200: { description: "A page of keys, without the keys themselves", schema: listOf(apiKey) },
        },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, space, query }) => {
      const page = await openPage(c.env.CURSOR_SECRET, ["keys", space.id], query);
      const found = await listKeys(c.get("db"), space, page.limit + 1, lastIdOf(page));
      const { rows, meta } = await closePage(page, found, ({ id }) => [id]);
      return respond(c, rows.map(keyView), { meta });
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/keys/self",
      access: { checkedByHandler: "read" },
      reaches: "caller",
      doc: {
        operationId: "getCaller",
        tag,
        summary: "Read the key or session of this request",
        answers: {
          200: { description: "The caller, without the key itself", schema: oneOf(caller) },
        },
        errors: [],
      },
    },
    async ({ c, credential, gate, query }) => {
      const spaceName = c.req.param("spaceName") ?? "";
      const found = await findCaller(authorizingReads(c), credential, spaceName);
      admit(found, gate);
      c.set("isKeyKnown", true);
      query();
      return respond(c, callerView(found));
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName/keys/:keyId",
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "revokeKey",
        tag,
        summary: "Revoke a key at once",
        answers: {
          200: {
            description: "Revoked",
            schema: oneOf(z.object({ id: z.string(), state: z.literal("revoked") })),
          },
        },
        errors: [],
      },
    },
    async ({ c, caller, space }) => {
      const id = c.req.param("keyId") ?? "";
      await revokeKey(c.get("db"), space, id, byOf(c, caller));
      return respond(c, { id, state: "revoked" });
    },
  );
}
