/**
 * The entrypoint that fetches from origins. The queue of a space calls it, so that each fetch is an invocation of its
 * own: an origin that hangs holds none of the queue's connections.
 */
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "../config.ts";
import type { FetchOutcome, FetchRequest, RemoteFetcherApi } from "../messages.ts";
import { d1OfSpace } from "../shards/where.ts";
import { database } from "../storage/database/database.ts";
import { forgetFiles } from "../storage/pictures/files.ts";
import { forgetPicture } from "../storage/pictures/pictures.ts";
import { removeRemote } from "../storage/remote/removal.ts";
import { fetchAndKeep } from "./fetch-and-keep.ts";

export class RemoteFetcher extends WorkerEntrypoint<Env> implements RemoteFetcherApi {
  async fetchPicture(request: FetchRequest): Promise<FetchOutcome> {
    return fetchAndKeep(request, {
      db: database(await d1OfSpace(this.env, request.spaceId)),
      bucket: this.env.BUCKET,
      now: Date.now,
      fetch: (url, init) => fetch(url, init),
      rules: { isTesting: this.env.REMOTE_TEST_ORIGINS === "1" },
    });
  }

  async removePicture({ spaceId, hash }: Pick<FetchRequest, "spaceId" | "hash">): Promise<void> {
    const db = database(await d1OfSpace(this.env, spaceId));
    const id = await removeRemote(db, spaceId, hash, { now: Date.now() });
    if (id === null) return;
    forgetPicture(id);
    forgetFiles(id);
  }
}
