/** The public image endpoint (RULES 5 to 7) in the API document: a redirect to a file, or the bytes of the file. */
import * as z from "zod";
import { forEachParameter, NO_PARAMETERS } from "../../../image/parameters/table.ts";
import { ROUTES } from "../../gateway/gateway.ts";
import { describeEndpoint } from "../../http/documents/describe.ts";
import type { App } from "../../http/endpoint.ts";
import { answerDelivery } from "./delivery.ts";

const FILE = ["X-Service-Width", "X-Service-Height", "X-Service-File"] as const;

/** Returns the parameters of the table, as the API document describes them. */
export function queryFields(): Record<string, z.ZodType> {
  const fields: Record<string, z.ZodType> = {};
  forEachParameter(NO_PARAMETERS, ({ name, meaning, schema }) => {
    fields[name] = z
      .unknown()
      .optional()
      .meta({ ...schema, description: meaning });
  });
  return fields;
}

const versionQuery = {
  v: z
    .int()
    .optional()
    .meta({ description: "The master version; with the current version, the answer is immutable" }),
};

export function mountPictures(app: App): void {
  describeEndpoint(app, {
    method: "get",
    path: ROUTES.redirect,
    operationId: "getPicture",
    tag: "Image delivery",
    summary: "Redirect to a picture's master or to a variant",
    description: "Public: pages can use the URL in `img src` and `srcset`. Unknown parameters are ignored.",
    access: "public",
    reaches: "nothing",
    query: z.object(queryFields()),
    headers: ["Accept"],
    answers: {
      // Generated clients follow redirects: this is what their callers get.
      200: {
        description: "Never the answer itself: the file, as a client gets it that follows the redirect",
      },
      302: {
        description: "Redirects to the master or to a variant",
        headers: ["Location", ...FILE, "X-Service-Transform", "Vary", "Cache-Control"],
      },
    },
    errors: ["NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED", "UNAVAILABLE"],
  });
  app.get(ROUTES.redirect, answerDelivery);

  describeEndpoint(app, {
    method: "get",
    operationId: "getPictureFile",
    path: ROUTES.direct,
    tag: "Image delivery",
    summary: "The bytes of a picture's master or of a variant",
    description:
      "Has the same parameters, states and headers as the redirect, but saves the second round trip.",
    access: "public",
    reaches: "nothing",
    query: z.object({ ...queryFields(), ...versionQuery }),
    answers: {
      200: {
        description: "The file of the master or of a variant",
        headers: ["ETag", ...FILE, "X-Service-Transform", "Vary", "Cache-Control", "Accept-Ranges"],
      },
      206: { description: "One byte range of the file", headers: ["ETag", "Content-Range"] },
      304: { description: "If-None-Match names its ETag" },
      416: { description: "The range is outside the file", headers: ["Content-Range"] },
    },
    headers: ["Accept", "If-None-Match", "Range"],
    errors: ["NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED", "UNAVAILABLE"],
  });
  app.get(ROUTES.direct, answerDelivery);
}
