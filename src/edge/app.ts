/** The route table, the order of middleware, and the one place where errors are rendered. */
import { Hono } from "hono/tiny";
import { notFound } from "../errors.ts";
import { keyedCeilings } from "./http/requests/ceilings.ts";
import { requestContext, type AppEnv } from "./http/context.ts";
import { crossOrigin } from "./http/answers/cors.ts";
import type { App } from "./http/endpoint.ts";
import { renderError } from "./http/answers/errors.ts";
import { idempotency } from "./http/requests/idempotency.ts";
import { methodNotAllowed } from "./http/methods.ts";
import { requestLog } from "./http/answers/log.ts";
import { mountActivity } from "./routes/spaces/activity.ts";
import { mountBulk } from "./routes/records/bulk.ts";
import { mountCdn } from "./routes/pictures/cdn.ts";
import { mountConsole } from "./routes/service/console.ts";
import { mountDocs } from "./routes/service/docs.ts";
import { mountHealth } from "./routes/service/health.ts";
import { mountKeys } from "./routes/spaces/keys.ts";
import { mountMedia } from "./routes/media/media.ts";
import { mountMetrics } from "./routes/service/metrics.ts";
import { mountModelChange } from "./routes/models/model-change.ts";
import { mountModels } from "./routes/models/models.ts";
import { mountPictures } from "./routes/pictures/pictures.ts";
import { mountPublish } from "./routes/records/publish.ts";
import { purgeChanged } from "./routes/purging.ts";
import { mountRecords } from "./routes/records/records.ts";
import { mountReferences } from "./routes/records/references.ts";
import { mountSpaces } from "./routes/spaces/spaces.ts";
import { mountTrash } from "./routes/trash.ts";
import { mountUploads } from "./routes/media/uploads.ts";
import { mountUsage } from "./routes/spaces/usage.ts";
import { mountVariants } from "./routes/media/variants.ts";
import { mountVersions } from "./routes/records/versions.ts";

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
