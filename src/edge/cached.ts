/** The entrypoint behind the platform's cache. Only the default entrypoint calls it. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { notFound } from "../errors.ts";
import { answerContent } from "./cached-content.ts";
import type { Env } from "./config.ts";
import { answer } from "./gateway/answer.ts";
import type { Call } from "./gateway/call.ts";
import { isContentPath } from "./gateway/content-target.ts";
import { readCall, writeAnswer, writeCopy } from "./gateway/messages.ts";
import { copyOfMissing, isNotFound } from "./gateway/missing.ts";
import { askedOf, LENIENT, targetOf, type Asked, type Target } from "./gateway/target.ts";
import { pathOfCached } from "./gateway/through-cache.ts";
import { errorResponse } from "./http/answers/errors.ts";

const NO_CACHE =
  'EDGE_CACHE is "on", but the platform gives this Worker no cache (ctx.cache): see [cache] in wrangler.toml, or set it "off"';

export class Cached extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = pathOfCached(url);
    if (isContentPath(path)) return answerContent(path + url.search, request, this.env);
    const waitUntil = (work: Promise<unknown>): void => this.ctx.waitUntil(work);
    const call: Call = {
      ...readCall(request.headers, Date.now()),
      env: this.env,
      waitUntil,
      queryCount: { queries: 0 },
    };
    let asked: Asked | null = null;
    try {
      const isLenient = path.startsWith(`${LENIENT}/`);
      const found = targetOf(isLenient ? path.slice(LENIENT.length) : path);
      if (!found) throw notFound("This path");
      const target: Target = "file" in found ? found : { ...found, isLenient };
      asked = askedOf(target, url.search, request.headers.get("Accept"), call.ownHosts);
      return writeAnswer(await answer(request, asked, call), call);
    } catch (error) {
      const response = errorResponse(error, call.requestId, path);
      if (asked && isNotFound(error)) writeCopy(response.headers, await copyOfMissing(asked, call), call);
      return response;
    }
  }

  /**
   * Removes all copies that have any of these tags. Returns false when the platform refuses.
   * @throws Error when there is no cache to ask, although the deployment says so: copies may be there all the same
   */
  async invalidate(tags: string[]): Promise<boolean> {
    const { cache } = this.ctx;
    if (cache === undefined) throw new Error(NO_CACHE);
    return (await cache.purge({ tags })).success;
  }
}
