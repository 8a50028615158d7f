/** A space's API keys (completion §2). */
import { z } from "@hono/zod-openapi";
import { endpoint, respond, type App } from "../http/endpoint.ts";
import { listOf, oneOf, pageMeta, pageOf, pageQuery } from "../http/pages.ts";
import { ROLES } from "../spaces/authorize.ts";
import { createKey, keyView, listKeys, revokeKey } from "../spaces/keys.ts";

const KEY_NAME_MAX_CHARACTERS = 100;

const apiKey = z
  .object({ id: z.string(), name: z.string(), role: z.enum(ROLES), createdAt: z.iso.datetime() })
  .openapi("ApiKey");

const tag = "Keys";

export function mountKeys(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/keys",
      tag,
      summary: "Create a key; this answer alone shows it",
      access: "admin",
      body: z.strictObject({ name: z.string().min(1).max(KEY_NAME_MAX_CHARACTERS), role: z.enum(ROLES) }),
      answers: { 201: { description: "The key", schema: oneOf(apiKey.extend({ key: z.string() })) } },
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
      tag,
      summary: "List keys, newest first",
      access: "admin",
      query: z.strictObject(pageQuery),
      answers: {
        200: { description: "A page of keys, without the keys themselves", schema: listOf(apiKey) },
      },
      errors: ["INVALID_CURSOR"],
    },
    async ({ c, space, query }) => {
      const page = pageOf(query);
      const found = await listKeys(c.get("db"), space, page.limit + 1, page.beforeId);
      const { rows, meta } = pageMeta(found, page.limit);
      return respond(c, rows.map(keyView), { meta });
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName/keys/:keyId",
      tag,
      summary: "Revoke a key at once",
      access: "admin",
      answers: {
        200: {
          description: "Revoked",
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
