/** The route table, the order of middleware, and the one place where errors are rendered. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { notFound } from "../errors.ts";
import { requestContext, type AppEnv } from "./http/context.ts";
import { crossOrigin } from "./http/cors.ts";
import type { App } from "./http/endpoint.ts";
import { renderError } from "./http/errors.ts";
import { methodNotAllowed } from "./http/methods.ts";
import { requestLog } from "./http/log.ts";
import { mountCdn } from "./routes/cdn.ts";
import { mountDocs } from "./routes/docs.ts";
import { mountHealth } from "./routes/health.ts";
import { mountKeys } from "./routes/keys.ts";
import { mountMedia } from "./routes/media.ts";
import { mountModels } from "./routes/models.ts";
import { mountPictures } from "./routes/pictures.ts";
import { mountRecords } from "./routes/records.ts";
import { mountSpaces } from "./routes/spaces.ts";
import { mountTrash } from "./routes/trash.ts";
import { mountUsage } from "./routes/usage.ts";

export function createApp(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.use(requestContext);
  app.use(requestLog);
  app.use(crossOrigin);
  app.onError(renderError);
  app.notFound((c) => {
    throw methodNotAllowed(app, c) ?? notFound("This route");
  });

  mountPictures(app);
  mountCdn(app);
  mountHealth(app);
  mountSpaces(app);
  mountKeys(app);
  mountUsage(app);
  mountMedia(app);
  mountModels(app);
  mountRecords(app);
  mountTrash(app);
  mountDocs(app);
  return app;
}
