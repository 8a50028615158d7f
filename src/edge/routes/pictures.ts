/** The public image endpoint (interface §4.2). Hot path: no schema library, no key, no D1 when the isolate knows. */
import { ApiError } from "../../errors.ts";
import { spaceQueue } from "../config.ts";
import { cdnBaseOf, type AppContext } from "../http/context.ts";
import type { App } from "../http/endpoint.ts";
import { describeEndpoint } from "../http/openapi.ts";
import { z } from "@hono/zod-openapi";
import { clientOf } from "../delivery/client.ts";
import { deliver, type DeliveryTools } from "../delivery/deliver.ts";
import { outcomeHeaders } from "../delivery/outcome.ts";
import { parsePictureParameters } from "../delivery/parameters.ts";
import { OUTPUT_FORMATS, QUALITIES } from "../../image/model/variant.ts";
import { DELIVERY } from "../../limits.ts";
import { pictureSource } from "../storage/pictures.ts";

const PATH = "/api/v1/:spaceName/pictures/:mediaId";

const query = z.object({
  w: z
    .int()
    .min(DELIVERY.widthMinPixels)
    .max(DELIVERY.widthMaxPixels)
    .optional()
    .openapi({
      description: `Rounded up to ${DELIVERY.widthGridPixels.join(", ")}; never upscaled`,
    }),
  q: z
    .literal([...QUALITIES])
    .optional()
    .openapi({ type: "integer", enum: [...QUALITIES], default: 80 }),
  fm: z.enum(OUTPUT_FORMATS).optional().openapi({ description: "Default: the master's format" }),
  auto: z
    .literal("format")
    .optional()
    .openapi({ description: "AVIF, WebP or the master's format, by Accept" }),
});

/** @throws ApiError IMAGE_DELIVERY_RATE_LIMITED */
async function checkFlood(c: AppContext, client: string): Promise<void> {
  const { success } = await c.env.IMAGE_FLOOD.limit({ key: client });
  if (success) return;
  const { floodRequestsPerMinute, floodWindowSeconds } = DELIVERY;
  const message = `More than ${floodRequestsPerMinute} image requests in a minute from one client. Slow down.`;
  throw new ApiError("IMAGE_DELIVERY_RATE_LIMITED", message, {
    headers: { "Retry-After": String(floodWindowSeconds) },
  });
}

function toolsOf(c: AppContext): DeliveryTools {
  return {
    pictures: pictureSource(c.get("db"), Date.now),
    queueOf: (spaceId) => spaceQueue(c.env, spaceId),
    now: Date.now,
    waitUntil: (work) => c.executionCtx.waitUntil(work),
    log: (event) => console.log(JSON.stringify({ ...event, requestId: c.get("requestId") })),
  };
}

export function mountPictures(app: App): void {
  describeEndpoint(app, {
    method: "get",
    path: PATH,
    tag: "Image delivery",
    summary: "Redirect to a picture's master or to a variant",
    description: "Public: the URL goes straight into `img src` and `srcset`. Unknown parameters are ignored.",
    access: "public",
    query,
    answers: {
      302: { description: "Location, X-Service-Width, X-Service-Transform; Vary: Accept with auto=format" },
    },
    errors: ["NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED"],
  });
  app.get(PATH, async (c) => {
    const url = new URL(c.req.url);
    const client = clientOf(c.req.header("CF-Connecting-IP") ?? null);
    await checkFlood(c, client);
    const request = {
      spaceName: c.req.param("spaceName"),
      mediaId: c.req.param("mediaId"),
      parameters: parsePictureParameters(url.searchParams),
      accept: c.req.header("Accept") ?? null,
      client,
      arrivedAt: c.get("arrivedAt"),
    };
    const outcome = await deliver(request, toolsOf(c));
    c.set("transform", outcome.state);
    return c.body(null, 302, outcomeHeaders(outcome, cdnBaseOf(c, url.origin)));
  });
}
