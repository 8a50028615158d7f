/** The routes of a space's API keys (RULES 2.3). */
import * as z from "zod";
import { says } from "#says";
import { KEY } from "../../limits.ts";
import { endpoint, openEndpoint, respond, type App } from "../http/endpoint.ts";
import { textSchema } from "../content-model/text.ts";
import { listOf, oneOf, pageQuery } from "../http/pages.ts";
import { closePage, lastIdOf, openPage } from "../storage/list-page.ts";
import { ROLES } from "../spaces/roles.ts";
import { createKey, keyView, listKeys, readCaller, revokeKey } from "../spaces/keys.ts";

const apiKey = z
  .object({ id: z.string(), name: z.string(), role: z.enum(ROLES), createdAt: z.iso.datetime() })
  .meta({ id: "ApiKey" });

const caller = z
  .object({
    id: z
      .string()
      .nullable()
      .meta({ description: says("Null for the root token") }),
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
      operationId: "createKey",
      tag,
      summary: says("Create a key; this answer alone shows it"),
      access: "admin",
      body: z.strictObject({ name: textSchema(KEY.nameMaxCharacters, 1), role: z.enum(ROLES) }),
      answers: { 201: { description: says("The key"), schema: oneOf(apiKey.extend({ key: z.string() })) } },
      errors: [],
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
      operationId: "listKeys",
      tag,
      summary: says("List keys, newest first"),
      access: "admin",
      query: z.strictObject(pageQuery),
      answers: {
        200: { description: says("A page of keys, without the keys themselves"), schema: listOf(apiKey) },
      },
      errors: ["INVALID_CURSOR"],
    },
    async ({ c, space, query }) => {
      const page = await openPage(c.env.ROOT_TOKEN, ["keys", space.id], query);
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
      operationId: "getCaller",
      tag,
      summary: says("Tell what the key of this request is"),
      access: { checkedByHandler: "read" },
      answers: { 200: { description: says("The key, without the key itself"), schema: oneOf(caller) } },
      errors: [],
    },
    async ({ c, credential, query }) => {
      const found = await readCaller(c.get("db"), credential, c.req.param("spaceName") ?? "");
      query();
      return respond(c, found);
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName/keys/:keyId",
      operationId: "revokeKey",
      tag,
      summary: says("Revoke a key at once"),
      access: "admin",
      answers: {
        200: {
          description: says("Revoked"),
          schema: oneOf(z.object({ id: z.string(), state: z.literal("revoked") })),
        },
      },
      errors: [],
    },
    async ({ c, space }) => {
      const id = c.req.param("keyId") ?? "";
      await revokeKey(c.get("db"), space, id);
      return respond(c, { id, state: "revoked" });
    },
  );
}
