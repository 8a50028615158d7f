/** The answers of the routes of media, and the calls that several of them make. */
import { notFound } from "../../../errors.ts";
import type { LocaleScope } from "../../../content/model/localized-model.ts";
import { spaceQueue } from "../../config.ts";
import { cdnBaseOf, publicBaseOf } from "../../http/addresses.ts";
import type { AppContext } from "../../http/context.ts";
import { respond } from "../../http/endpoint.ts";
import { originOf } from "../../http/origin.ts";
import { mediaObject } from "../../media/media-object.ts";
import type { UploadTools } from "../../media/upload.ts";
import type { Caller, Space } from "../../spaces/authorize.ts";
import { seesActors } from "../../spaces/roles.ts";
import { readMedia, type MediaWithMaster } from "../../storage/media/media.ts";

export function viewOf(
  c: AppContext,
  { space, role }: Caller,
  row: MediaWithMaster,
  scope: LocaleScope | null = null,
) {
  const bases = { publicBase: publicBaseOf(c), cdnBase: cdnBaseOf(c), scope, showsActors: seesActors(role) };
  return mediaObject(space, row.media, row.master, bases);
}

export const toolsOf = (c: AppContext, caller: Caller): UploadTools => ({
  db: c.get("db"),
  bucket: c.env.BUCKET,
  now: Date.now,
  origin: originOf(c, caller),
});

/** Tells the queue about a new master while the answer is sent. If that fails, the sweep tells it. */
export function announceMaster(c: AppContext, space: Space): void {
  const announced = spaceQueue(c.env, space.id).makePlaceholders(space.id);
  c.executionCtx.waitUntil(announced.catch(() => undefined));
}

export function respondWithNewMedia(c: AppContext, caller: Caller, row: MediaWithMaster): Response {
  const { space } = caller;
  const location = `${publicBaseOf(c)}/api/v1/${space.name}/media/${row.media.id}`;
  return respond(c, viewOf(c, caller, row), { status: 201, headers: { Location: location } });
}

export async function respondWithMedia(
  c: AppContext,
  caller: Caller,
  scope: LocaleScope | null = null,
): Promise<Response> {
  const row = await readMedia(c.get("db"), caller.space.id, c.req.param("mediaId") ?? "");
  if (!row) throw notFound("The media item");
  return respond(c, viewOf(c, caller, row, scope));
}
