/** Immutable files in the API document: masters under /cdn/m, variants under /cdn/v (RULES 7.6). */
import { says } from "#says";
import { ROUTES } from "../gateway/gateway.ts";
import { describeEndpoint } from "../http/describe.ts";
import type { EndpointDescription } from "../http/description.ts";
import type { App } from "../http/endpoint.ts";
import { answerDelivery } from "./delivery.ts";

export function mountCdn(app: App): void {
  const described = {
    method: "get",
    tag: "Image delivery",
    access: "public",
    errors: ["NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED", "UNAVAILABLE"],
    headers: ["If-None-Match", "Range"],
  } as const;
  const answers = {
    200: {
      description: says("The file; immutable, with ETag and Content-Length"),
      headers: ["ETag", "Cache-Control", "Accept-Ranges"],
    },
    206: { description: says("One byte range of it"), headers: ["ETag", "Content-Range"] },
    304: { description: says("If-None-Match names it") },
    416: { description: says("The range is outside the file"), headers: ["Content-Range"] },
  } satisfies EndpointDescription["answers"];
  describeEndpoint(app, {
    ...described,
    path: ROUTES.master,
    operationId: "getMasterFile",
    summary: says("A master, byte for byte"),
    answers,
    errors: [...described.errors],
  });
  describeEndpoint(app, {
    ...described,
    path: ROUTES.variant,
    operationId: "getVariantFile",
    summary: says("A variant"),
    answers: { ...answers, 302: { description: says("It expired: back to its picture URL") } },
    errors: [...described.errors],
  });
  app.get(ROUTES.master, answerDelivery);
  app.get(ROUTES.variant, answerDelivery);
}
