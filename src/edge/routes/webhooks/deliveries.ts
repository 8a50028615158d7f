/** The routes of the deliveries of a webhook (RULES 15.5). */
import * as z from "zod";
import { ulid } from "ulid";
import { notFound } from "../../../errors.ts";
import { WEBHOOKS } from "../../../limits.ts";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { closePage, lastIdOf, openPage } from "../../storage/pages/list-page.ts";
import { insertPing, listDeliveries, redeliver } from "../../storage/webhooks/deliveries.ts";
import { forgetWebhooks } from "../../webhooks/wake.ts";
import { deliveryView, enabledWebhook, presentWebhook } from "../../webhooks/webhooks.ts";
import { delivery, idOf, toolsOf } from "./webhook-schema.ts";

const tag = "Webhooks";
const ONE = "/api/v1/:spaceName/webhooks/:webhookId";

export function mountDeliveries(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: `${ONE}/deliveries`,
      access: "admin",
      reaches: "everything",
      query: z.strictObject(pageQuery),
      doc: {
        operationId: "listDeliveries",
        tag,
        summary: "List the deliveries of the last 30 days with their attempts, newest first",
        answers: { 200: { description: "A page of deliveries", schema: listOf(delivery) } },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, space, query, caller }) => {
      const tools = toolsOf({ c, space, caller });
      const { id } = await presentWebhook(tools, idOf(c, "webhookId", "The webhook"));
      const page = await openPage(c.env.CURSOR_SECRET, ["deliveries", id], query);
      const since = tools.now - WEBHOOKS.keptMs;
      const found = await listDeliveries(tools.db, id, since, page.limit + 1, lastIdOf(page));
      const { rows, meta } = await closePage(page, found, (row) => [row.id]);
      return respond(c, rows.map(deliveryView), { meta });
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: `${ONE}/deliveries/:deliveryId/redeliver`,
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "redeliver",
        tag,
        summary: "Attempt a delivery again, at once",
        answers: { 202: { description: "The delivery, which is pending", schema: oneOf(delivery) } },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, space, caller }) => {
      const tools = toolsOf({ c, space, caller });
      const { id } = await enabledWebhook(tools, idOf(c, "webhookId", "The webhook"));
      const deliveryId = idOf(c, "deliveryId", "The delivery");
      const row = await redeliver(tools.db, id, deliveryId, tools.now);
      if (!row) throw notFound("The delivery");
      forgetWebhooks(space.name);
      return respond(c, deliveryView(row), { status: 202 });
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: `${ONE}/ping`,
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "pingWebhook",
        tag,
        summary: "Send an event of the type `ping`",
        answers: { 202: { description: "The delivery, which is pending", schema: oneOf(delivery) } },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, space, caller }) => {
      const tools = toolsOf({ c, space, caller });
      const { id: webhookId } = await enabledWebhook(tools, idOf(c, "webhookId", "The webhook"));
      const ping = { id: ulid(tools.now), webhookId, spaceId: space.id };
      const row = await insertPing(tools.db, ping, tools.now);
      if (!row) throw notFound("The webhook");
      forgetWebhooks(space.name);
      return respond(c, deliveryView(row), { status: 202 });
    },
  );
}
