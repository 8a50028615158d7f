/** The route that makes preview tokens (RULES 2.5). */
import * as z from "zod";
import { PREVIEW_TOKEN } from "../../../limits.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { byOf } from "../../http/origin.ts";
import { createPreviewToken } from "../../spaces/preview-tokens.ts";

export function mountPreviewTokens(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/preview-tokens",
      access: "write",
      reaches: "records",
      body: z.strictObject({
        ttlSeconds: z.int().min(1).max(PREVIEW_TOKEN.ttlMaxSeconds).meta({
          description: "How long the token lasts. It never lasts longer than the key that makes it",
        }),
      }),
      doc: {
        operationId: "createPreviewToken",
        tag: "Keys",
        summary: "Create a token that reads drafts, for a preview; only this answer shows it",
        description:
          "A bearer token that reads records and media as a key with the role `preview` and the scopes of its maker. It " +
          "reads no trash and no history. It ends by itself, when its maker is removed, and when the sessions of its maker are ended.",
        answers: {
          201: {
            description: "The token",
            schema: oneOf(z.object({ token: z.string(), expiresAt: z.iso.datetime() })),
          },
        },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, caller, body }) => {
      const by = byOf(c, caller);
      const { token, expiresAt } = await createPreviewToken(c.get("db"), caller, body.ttlSeconds, by);
      return respond(c, { token, expiresAt: new Date(expiresAt).toISOString() }, { status: 201 });
    },
  );
}
