/**
 * The public image endpoint (RULES 5 to 7): a redirect to the file that answers, or its bytes at once. Both are one
 * story, `deliver`. Hot path: no schema library, no key, no D1 when the isolate knows.
 */
import * as z from "zod";
import { notFound } from "../../errors.ts";
import { OUTPUT_FORMATS, QUALITIES } from "../../image/model/variant.ts";
import { DELIVERY } from "../../limits.ts";
import { spaceQueue } from "../config.ts";
import { deliver, type DeliveryTools } from "../delivery/deliver.ts";
import { outcomeHeaders, type Outcome } from "../delivery/outcome.ts";
import { parsePictureParameters } from "../delivery/parameters.ts";
import { serveOutcome } from "../delivery/serve-outcome.ts";
import { redirectBaseOf } from "../http/addresses.ts";
import type { AppContext } from "../http/context.ts";
import { describeEndpoint } from "../http/describe.ts";
import type { App } from "../http/endpoint.ts";
import { checkFlood, type FloodCounter } from "./flood.ts";
import { isUlid } from "../http/ids.ts";
import { isName } from "../content-model/names.ts";
import { pictureSource } from "../storage/pictures.ts";
import { readDatabase } from "../storage/read-database.ts";

const PATH = "/api/v1/:spaceName/pictures/:mediaId";

const query = {
  w: z
    .int()
    .min(DELIVERY.widthMinPixels)
    .max(DELIVERY.widthMaxPixels)
    .optional()
    .meta({
      description: `Rounded up to ${DELIVERY.widthGridPixels.join(", ")}; never upscaled`,
    }),
  q: z
    .literal([...QUALITIES])
    .optional()
    .meta({ type: "integer", enum: [...QUALITIES], default: 80 }),
  fm: z.enum(OUTPUT_FORMATS).optional().meta({ description: "Default: the master's format" }),
  auto: z.literal("format").optional().meta({ description: "AVIF, WebP or the master's format, by Accept" }),
};

const versionQuery = {
  v: z
    .int()
    .optional()
    .meta({ description: "The master version. With the current one, the answer is immutable" }),
};

function toolsOf(c: AppContext): DeliveryTools {
  return {
    pictures: pictureSource(readDatabase(c.env.DB, c.get("queryCount")), Date.now),
    queueOf: (spaceId) => spaceQueue(c.env, spaceId),
    now: Date.now,
    waitUntil: (work) => c.executionCtx.waitUntil(work),
    log: (event) => console.log(JSON.stringify({ ...event, requestId: c.get("requestId") })),
  };
}

/** The checks in their order (RULES 5.1), then the decision. */
async function outcomeOf(c: AppContext, counter: FloodCounter, search: URLSearchParams): Promise<Outcome> {
  const client = await checkFlood(c, counter);
  const parameters = parsePictureParameters(search);
  const spaceName = c.req.param("spaceName") ?? "";
  const mediaId = c.req.param("mediaId") ?? "";
  if (!isName(spaceName) || !isUlid(mediaId)) throw notFound("The picture");
  const accept = c.req.header("Accept") ?? null;
  const request = { spaceName, mediaId, parameters, accept, client, arrivedAt: c.get("arrivedAt") };
  const outcome = await deliver(request, toolsOf(c));
  c.set("transform", outcome.state);
  return outcome;
}

const searchOf = (c: AppContext): URLSearchParams => new URL(c.req.url).searchParams;

export function mountPictures(app: App): void {
  describeEndpoint(app, {
    method: "get",
    path: PATH,
    operationId: "getPicture",
    tag: "Image delivery",
    summary: "Redirect to a picture's master or to a variant",
    description: "Public: the URL goes straight into `img src` and `srcset`. Unknown parameters are ignored.",
    access: "public",
    query: z.object(query),
    headers: ["Accept"],
    answers: {
      302: {
        description: "To the master or to a variant",
        headers: ["Location", "X-Service-Width", "X-Service-Transform", "Vary", "Cache-Control"],
      },
    },
    errors: ["NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED", "UNAVAILABLE"],
  });
  app.get(PATH, async (c) => {
    const outcome = await outcomeOf(c, "IMAGE_FLOOD", searchOf(c));
    const Location = `${redirectBaseOf(c)}/${outcome.key}`;
    return c.body(null, 302, { Location, ...outcomeHeaders(outcome) });
  });

  const filePath = `${PATH}/file` as const;
  describeEndpoint(app, {
    method: "get",
    operationId: "getPictureFile",
    path: filePath,
    tag: "Image delivery",
    summary: "The bytes of a picture's master or of a variant",
    description: "As the redirect, without its second round trip: the same parameters, states and headers.",
    access: "public",
    query: z.object({ ...query, ...versionQuery }),
    answers: {
      200: {
        description: "The file of the master or of a variant",
        headers: ["ETag", "X-Service-Width", "X-Service-Transform", "Vary", "Cache-Control", "Accept-Ranges"],
      },
      206: { description: "One byte range of it", headers: ["ETag", "Content-Range"] },
      304: { description: "If-None-Match names it" },
      416: { description: "The range is outside the file", headers: ["Content-Range"] },
    },
    headers: ["Accept", "If-None-Match", "Range"],
    errors: ["NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED", "UNAVAILABLE"],
  });
  app.get(filePath, async (c) => {
    const search = searchOf(c);
    const outcome = await outcomeOf(c, "DIRECT_FLOOD", search);
    const served = await serveOutcome(c.req.raw, outcome, search.getAll("v"), {
      db: c.get("db"),
      bucket: c.env.BUCKET,
    });
    c.set("transform", served.state);
    return served.response;
  });
}
