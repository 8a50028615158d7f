/** The routes of a space's webhooks (RULES 15.1, 15.2). */
import * as z from "zod";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { closePage, lastIdOf, openPage } from "../../storage/pages/list-page.ts";
import { listWebhooks } from "../../storage/webhooks/webhooks.ts";
import { forgetWebhooks } from "../../webhooks/wake.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  presentWebhook,
  webhookView,
} from "../../webhooks/webhooks.ts";
import { changeBody, createBody, idOf, shownSecret, toolsOf, webhook } from "./webhook-schema.ts";

const tag = "Webhooks";
const LIST = "/api/v1/:spaceName/webhooks";
const ONE = `${LIST}/:webhookId`;

export function mountWebhooks(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: LIST,
      access: "admin",
      reaches: "everything",
      body: createBody,
      doc: {
        operationId: "createWebhook",
        tag,
        summary: "Create a webhook; only this answer shows its secret",
        description:
          "It gets the events that come after it, signed as Standard Webhooks says, at least once, and those of one record in their order.",
        answers: {
          201: { description: "The webhook", schema: oneOf(webhook.extend({ secret: shownSecret })) },
        },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, space, body, caller }) => {
      const tools = toolsOf({ c, space, caller });
      const { row, secret } = await createWebhook(tools, body);
      forgetWebhooks(space.name);
      return respond(c, { ...webhookView(row, tools.now), secret }, { status: 201 });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: LIST,
      access: "admin",
      reaches: "everything",
      query: z.strictObject(pageQuery),
      doc: {
        operationId: "listWebhooks",
        tag,
        summary: "List webhooks, newest first",
        answers: {
          200: { description: "A page of webhooks, without their secrets", schema: listOf(webhook) },
        },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, space, query }) => {
      const page = await openPage(c.env.CURSOR_SECRET, ["webhooks", space.id], query);
      const found = await listWebhooks(c.get("db"), space.id, page.limit + 1, lastIdOf(page));
      const { rows, meta } = await closePage(page, found, ({ id }) => [id]);
      const now = Date.now();
      return respond(
        c,
        rows.map((row) => webhookView(row, now)),
        { meta },
      );
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: ONE,
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "getWebhook",
        tag,
        summary: "Read a webhook",
        answers: { 200: { description: "The webhook, without its secret", schema: oneOf(webhook) } },
        errors: [],
      },
    },
    async ({ c, space, caller }) => {
      const tools = toolsOf({ c, space, caller });
      const row = await presentWebhook(tools, idOf(c, "webhookId", "The webhook"));
      return respond(c, webhookView(row, tools.now));
    },
  );

  endpoint(
    app,
    {
      method: "patch",
      path: ONE,
      access: "admin",
      reaches: "everything",
      body: changeBody,
      doc: {
        operationId: "updateWebhook",
        tag,
        summary: "Change a webhook, enable or disable it, or make a new secret",
        answers: {
          200: {
            description: "The webhook, with its secret if a new one was made",
            schema: oneOf(webhook.extend({ secret: shownSecret.optional() })),
          },
        },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, space, body, caller }) => {
      const tools = toolsOf({ c, space, caller });
      const { row, secret } = await changeWebhook(tools, idOf(c, "webhookId", "The webhook"), body);
      forgetWebhooks(space.name);
      return respond(c, { ...webhookView(row, tools.now), ...(secret !== null && { secret }) });
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: ONE,
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "deleteWebhook",
        tag,
        summary: "Remove a webhook and its deliveries",
        answers: {
          200: {
            description: "Removed: nothing more is sent",
            schema: oneOf(z.object({ id: z.string(), state: z.literal("removed") })),
          },
        },
        errors: [],
      },
    },
    async ({ c, space, caller }) => {
      const id = idOf(c, "webhookId", "The webhook");
      await deleteWebhook(toolsOf({ c, space, caller }), id);
      return respond(c, { id, state: "removed" });
    },
  );
}
