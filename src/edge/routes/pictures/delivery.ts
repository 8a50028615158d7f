/** The routes of image delivery in the route table. `worker.ts` answers GET and HEAD itself, so the rest is 405. */
import { notFound } from "../../../errors.ts";
import { handleDelivery } from "../../gateway/gateway.ts";
import { targetOf } from "../../gateway/target.ts";
import type { AppContext } from "../../http/context.ts";

export function answerDelivery(c: AppContext): Promise<Response> {
  const url = new URL(c.req.url);
  const target = targetOf(url.pathname, url.search);
  if (!target) throw notFound("This route");
  const { env, executionCtx } = c;
  return handleDelivery(c.req.raw, url, target, env, executionCtx as ExecutionContext);
}
