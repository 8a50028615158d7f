/** The routes of a space's API keys (RULES 2.3). */
import * as z from "zod";
import { KEY } from "../../../limits.ts";
import { endpoint, openEndpoint, respond, type App } from "../../http/endpoint.ts";
import { authorizingReads } from "../../http/space-database.ts";
import { textSchema } from "../../../content/text/text.ts";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import { closePage, lastIdOf, openPage } from "../../storage/pages/list-page.ts";
import { ROLES } from "../../spaces/roles.ts";
import { createKey, keyView, listKeys, readCaller, revokeKey } from "../../spaces/keys.ts";

const apiKey = z
  .object({ id: z.string(), name: z.string(), role: z.enum(ROLES), createdAt: z.iso.datetime() })
  .meta({ id: "ApiKey" });

const caller = z
  .object({
    id: z.string().nullable().meta({ description: "Null for the root token" }),
    name: z.string(),
    role: z.enum([...ROLES, "root"]),
    space: z.string(),
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
      body: z.strictObject({ name: textSchema(KEY.nameMaxCharacters, 1), role: z.enum(ROLES) }),
      doc: {
        operationId: "createKey",
        tag,
        summary: "Create a key; only this answer shows it",
        answers: {
          201: { description: "The key", schema: oneOf(apiKey.extend({ key: z.string() })) },
        },
        errors: [],
      },
    },
    async ({ c, space, body }) => {
      const { row, key } = await createKey(c.get("db"), space, body, Date.now());
      return respond(c, { ...keyView(row), key }, { status: 201 });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/keys",
      access: "admin",
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
      doc: {
        operationId: "getCaller",
        tag,
        summary: "Read the key of this request",
        answers: {
          200: { description: "The key, without the key itself", schema: oneOf(caller) },
        },
        errors: [],
      },
    },
    async ({ c, credential, query }) => {
      const found = await readCaller(authorizingReads(c), credential, c.req.param("spaceName") ?? "");
      c.set("isKeyKnown", true);
      query();
      return respond(c, found);
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName/keys/:keyId",
      access: "admin",
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
    async ({ c, space }) => {
      const id = c.req.param("keyId") ?? "";
      await revokeKey(c.get("db"), space, id);
      return respond(c, { id, state: "revoked" });
    },
  );
}
