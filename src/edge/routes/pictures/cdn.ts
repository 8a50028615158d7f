/** Immutable files in the API document: masters under /cdn/m, variants under /cdn/v (RULES 7.6). */
import { ROUTES } from "../../gateway/gateway.ts";
import { describeEndpoint } from "../../http/documents/describe.ts";
import type { EndpointDescription } from "../../http/documents/description.ts";
import type { App } from "../../http/endpoint.ts";
import { answerDelivery } from "./delivery.ts";

const file = {
  method: "get",
  tag: "Image delivery",
  access: "public",
  reaches: "nothing",
  errors: ["NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED", "UNAVAILABLE"],
  headers: ["If-None-Match", "Range"],
  answers: {
    200: {
      description: "The file; immutable, with ETag and Content-Length",
      headers: ["ETag", "Cache-Control", "Accept-Ranges"],
    },
    206: { description: "One byte range of the file", headers: ["ETag", "Content-Range"] },
    304: { description: "If-None-Match names its ETag" },
    416: { description: "The range is outside the file", headers: ["Content-Range"] },
  },
} satisfies Partial<EndpointDescription>;

export function mountCdn(app: App): void {
  describeEndpoint(app, {
    ...file,
    path: ROUTES.master,
    operationId: "getMasterFile",
    summary: "A master, byte for byte",
  });
  describeEndpoint(app, {
    ...file,
    path: ROUTES.variant,
    operationId: "getVariantFile",
    summary: "A variant",
    answers: {
      ...file.answers,
      302: { description: "The variant has expired; redirects to its picture URL" },
    },
  });
  app.get(ROUTES.master, answerDelivery);
  app.get(ROUTES.variant, answerDelivery);
}
