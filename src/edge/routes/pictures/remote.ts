/** The routes of pictures of other servers (RULES 13): the public redirect, their removal, and their origins. */
import * as z from "zod";
import { notFound } from "../../../errors.ts";
import { spaceQueue } from "../../config.ts";
import { ROUTES } from "../../gateway/gateway.ts";
import { answered } from "../../http/answered.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { describeEndpoint } from "../../http/documents/describe.ts";
import { byOf } from "../../http/origin.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import type { OriginFetches, RecentFetch } from "../../messages.ts";
import { parseAddress } from "../../remote/address.ts";
import { forgetAsking } from "../../remote/ask-for-fetch.ts";
import { fetchKey, hashOf } from "../../remote/fetch-key.ts";
import { forgetFiles } from "../../storage/pictures/files.ts";
import { forgetPicture } from "../../storage/pictures/pictures.ts";
import { countByOrigin, originsIn, type OriginCount } from "../../storage/remote/remotes.ts";
import { removeRemote } from "../../storage/remote/removal.ts";
import { invalidateCopies } from "../invalidation.ts";
import { answerDelivery } from "./delivery.ts";
import { queryFields } from "./pictures.ts";

const tag = "Image delivery";
const url = z.string().meta({ description: "The picture's address, percent-encoded" });

const origin = z
  .object({
    origin: z.string(),
    isListed: z.boolean().meta({ description: "Whether the setting `origins` has it now" }),
    pictures: z.int().meta({ description: "Pictures that are kept" }),
    bytes: z.int(),
    fetched: z.int(),
    failed: z.int(),
    lastFetchAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "RemoteOrigin" });

const fetched = z
  .object({
    url: z.string(),
    origin: z.string().nullable(),
    state: z.enum(["stored", "unchanged", "failed"]),
    isRevalidation: z.boolean().meta({ description: "Whether the file was here and was asked for again" }),
    milliseconds: z.int(),
    bytes: z.int().nullable(),
    reason: z.string().nullable(),
    endedAt: z.iso.datetime(),
  })
  .meta({ id: "RemoteFetch" });

const overview = z.object({
  origins: z.array(origin),
  fetches: z.array(fetched).meta({ description: "The last 100 fetches, newest first" }),
  waiting: z.int(),
  running: z.int().meta({ description: "Fetches that hold a place, also those that are about to begin" }),
});

const isoTime = (ms: number): string => new Date(ms).toISOString();

const viewOfFetch = ({ endedAt, ...fetch }: RecentFetch) => ({ ...fetch, endedAt: isoTime(endedAt) });

/** Lists the entries of the setting, then earlier ones of which pictures or fetches are known. */
function viewOfOrigins(listed: readonly string[], counts: OriginCount[], fetches: OriginFetches[]) {
  const names = new Set([...listed, ...[...counts, ...fetches].map(({ origin }) => origin)]);
  return [...names].map((name) => {
    const { pictures = 0, bytes = 0 } = counts.find(({ origin }) => origin === name) ?? {};
    const { fetched = 0, failed = 0, lastAt = null } = fetches.find(({ origin }) => origin === name) ?? {};
    const lastFetchAt = lastAt === null ? null : isoTime(lastAt);
    return { origin: name, isListed: listed.includes(name), pictures, bytes, fetched, failed, lastFetchAt };
  });
}

/** The dialects: their paths are matched before the router, which has them for other methods and for the document. */
const DIALECTS = [
  ["/api/v1/:spaceName/next", "getNextPicture", "Next.js (`images.path`): `?url=…&w=…&q=…`"],
  ["/api/v1/:spaceName/ipx/:modifiers/:url", "getIpxPicture", "ipx: `w_200,f_webp`, or `_` for none"],
  [
    "/api/v1/:spaceName/cdn-cgi/image/:options/:url",
    "getCloudflarePicture",
    "Cloudflare's image addresses: `width=200,format=auto`",
  ],
] as const;

function mountDialects(app: App): void {
  for (const [path, operationId, words] of DIALECTS) {
    describeEndpoint(app, {
      ...{ method: "get", path, operationId, tag },
      summary: `A remote picture in the dialect of ${words}`,
      description: "Translated into the parameters of `remote`. Nothing but a malformed address is refused.",
      access: "public",
      reaches: "nothing",
      ...(path.endsWith("/next") && { query: z.object({ url, w: z.string(), q: z.string().optional() }) }),
      headers: ["Accept"],
      answers: {
        200: {
          description: "Never the answer itself: the file, as a client gets it that follows the redirect",
        },
        302: {
          description: "Redirects as `remote` does",
          headers: ["Location", "X-Service-Transform", "Cache-Control"],
        },
      },
      errors: ["ORIGIN_NOT_ALLOWED", "NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED", "UNAVAILABLE"],
    });
    app.get(path.replace(":url", ":url{.+}"), answerDelivery);
  }
}

export function mountRemote(app: App): void {
  describeEndpoint(app, {
    method: "get",
    path: ROUTES.remote,
    operationId: "getRemotePicture",
    tag,
    summary: "Redirect to a variant of a picture on another server, or to its address",
    description:
      "Public. The address must be among the space's `origins`. Until the file was fetched, the answer leads to the address itself. Unknown parameters are ignored.",
    access: "public",
    reaches: "nothing",
    query: z.object({ url, ...queryFields() }),
    headers: ["Accept"],
    answers: {
      // Generated clients follow redirects: this is what their callers get.
      200: {
        description: "Never the answer itself: the file, as a client gets it that follows the redirect",
      },
      302: {
        description: "Redirects to the address or to a variant",
        headers: [
          ...["Location", "X-Service-Width", "X-Service-Height", "X-Service-File"],
          ...["X-Service-Transform", "Vary", "Cache-Control"],
        ] as ["Location"],
      },
    },
    errors: ["ORIGIN_NOT_ALLOWED", "NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED", "UNAVAILABLE"],
  });
  app.get(ROUTES.remote, answerDelivery);
  mountDialects(app);

  endpoint(
    app,
    {
      method: "delete",
      path: ROUTES.remote,
      access: "write",
      reaches: "media work",
      query: z.strictObject({ url }),
      doc: {
        operationId: "deleteRemotePicture",
        tag,
        summary: "Forget the file that was fetched from an address",
        description: "The next request for a variant fetches it again.",
        answers: {
          200: { description: "Removed", schema: oneOf(z.object({ state: z.literal("removed") })) },
        },
        errors: [],
      },
    },
    async ({ c, caller, space, query }) => {
      const hash = await hashOf(parseAddress(query.url).href);
      const key = fetchKey(space.id, hash);
      const by = byOf(c, caller);
      // The queue comes first: from then on, a fetch that runs leaves no file behind.
      await answered(spaceQueue(c.env, space.id).forgetFetch(key), "The space's queue");
      const id = await removeRemote(c.get("db"), space.id, hash, by);
      forgetAsking(key);
      if (id === null) throw notFound("The picture of this address");
      forgetPicture(id);
      forgetFiles(id);
      invalidateCopies(c);
      return respond(c, { state: "removed" });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/origins",
      access: "read",
      reaches: "media work",
      doc: {
        operationId: "getOrigins",
        tag: "Spaces",
        summary: "Read what is kept and was fetched from each origin",
        answers: { 200: { description: "The origins and the last fetches", schema: oneOf(overview) } },
        errors: ["UNAVAILABLE"],
      },
    },
    async ({ c, space }) => {
      const [counts, queue] = await Promise.all([
        countByOrigin(c.get("db"), space.id),
        answered(spaceQueue(c.env, space.id).fetches(), "The space's queue"),
      ]);
      const { waiting, running, recent, origins } = queue;
      return respond(c, {
        origins: viewOfOrigins(originsIn(space.origins), counts, origins),
        fetches: recent.map(viewOfFetch),
        waiting,
        running,
      });
    },
  );
}
