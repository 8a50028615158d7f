/** The entrypoint behind the platform's cache. Only the default entrypoint calls it. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { notFound } from "../errors.ts";
import { answerContent } from "./cached-content.ts";
import type { Env } from "./config.ts";
import { answer } from "./gateway/answer.ts";
import { isContentPath } from "./gateway/content-target.ts";
import { readCall, writeAnswer } from "./gateway/messages.ts";
import { askedOf, targetOf } from "./gateway/target.ts";
import { pathOfCached } from "./gateway/through-cache.ts";
import { errorResponse } from "./http/errors.ts";

export class Cached extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = pathOfCached(url);
    if (isContentPath(path)) return answerContent(path + url.search, request, this.env);
    const carried = readCall(request.headers, Date.now());
    try {
      const target = targetOf(path);
      if (!target) throw notFound("This path");
      const asked = askedOf(target, url.searchParams, request.headers.get("Accept"));
      const waitUntil = (work: Promise<unknown>): void => this.ctx.waitUntil(work);
      const call = { ...carried, env: this.env, waitUntil, queryCount: { queries: 0 } };
      return writeAnswer(await answer(request, asked, call), call);
    } catch (error) {
      return errorResponse(error, carried.requestId, path);
    }
  }

  /** Removes all copies that have any of these tags. False when the platform refuses. */
  async purge(tags: string[]): Promise<boolean> {
    // Absent if the runtime has no such cache.
    const { cache } = this.ctx;
    return cache === undefined || (await cache.purge({ tags })).success;
  }
}
