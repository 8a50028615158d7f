/** The route table, the order of middleware, and the one place where errors are rendered. */
import { Hono } from "hono/tiny";
import { notFound } from "../errors.ts";
import { keyedCeilings } from "./http/ceilings.ts";
import { requestContext, type AppEnv } from "./http/context.ts";
import { crossOrigin } from "./http/cors.ts";
import type { App } from "./http/endpoint.ts";
import { renderError } from "./http/errors.ts";
import { idempotency } from "./http/idempotency.ts";
import { methodNotAllowed } from "./http/methods.ts";
import { requestLog } from "./http/log.ts";
import { mountActivity } from "./routes/activity.ts";
import { mountBulk } from "./routes/bulk.ts";
import { mountCdn } from "./routes/cdn.ts";
import { mountConsole } from "./routes/console.ts";
import { mountDocs } from "./routes/docs.ts";
import { mountHealth } from "./routes/health.ts";
import { mountKeys } from "./routes/keys.ts";
import { mountMedia } from "./routes/media.ts";
import { mountMetrics } from "./routes/metrics.ts";
import { mountModelChange } from "./routes/model-change.ts";
import { mountModels } from "./routes/models.ts";
import { mountPictures } from "./routes/pictures.ts";
import { mountPublish } from "./routes/publish.ts";
import { purgeChanged } from "./routes/purging.ts";
import { mountRecords } from "./routes/records.ts";
import { mountReferences } from "./routes/references.ts";
import { mountSpaces } from "./routes/spaces.ts";
import { mountTrash } from "./routes/trash.ts";
import { mountUploads } from "./routes/uploads.ts";
import { mountUsage } from "./routes/usage.ts";
import { mountVariants } from "./routes/variants.ts";
import { mountVersions } from "./routes/versions.ts";

export function createApp(): App {
  const app: App = Object.assign(new Hono<AppEnv>(), { descriptions: [] });
  app.use(requestContext);
  app.use(requestLog);
  app.use(crossOrigin);
  app.use(keyedCeilings);
  app.use(purgeChanged);
  app.use(idempotency);
  app.onError(renderError);
  // The error is rendered, not thrown: one thrown here would bypass all middleware and lack its headers.
  app.notFound((c) => renderError(methodNotAllowed(app, c) ?? notFound("This route"), c));

  mountPictures(app);
  mountCdn(app);
  mountHealth(app);
  mountMetrics(app);
  mountSpaces(app);
  mountKeys(app);
  mountUsage(app);
  mountActivity(app);
  mountUploads(app);
  mountMedia(app);
  mountVariants(app);
  mountModels(app);
  mountModelChange(app);
  mountBulk(app);
  mountRecords(app);
  mountReferences(app);
  mountVersions(app);
  mountPublish(app);
  mountTrash(app);
  mountDocs(app);
  mountConsole(app);
  return app;
}
