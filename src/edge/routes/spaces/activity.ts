/** The recent builds of a space's queue, and its present state (RULES 8.6). */
import * as z from "zod";
import { VARIANT_FORMATS } from "../../../image/formats/registry.ts";
import { parseVariantFile } from "../../../image/model/variant.ts";
import { QUEUE } from "../../../limits.ts";
import { spaceQueue } from "../../config.ts";
import { answered } from "../../http/answered.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { oneOf } from "../../http/answers/pages.ts";
import type { JobLane, LaneState, QueueActivity, RecentBuild } from "../../messages.ts";

const build = z
  .object({
    mediaId: z.string(),
    masterVersion: z.int(),
    file: z.string().meta({ description: "The last segment of the variant's address" }),
    width: z.int(),
    format: z.enum(VARIANT_FORMATS),
    quality: z.int().nullable(),
    lane: z.enum(["light", "heavy", "idle"]).meta({ description: "`idle`: no visitor waited for it" }),
    state: z.enum(["built", "failed", "gone"]).meta({
      description: "`gone`: its master was replaced or removed in the meantime",
    }),
    milliseconds: z.int().meta({ description: "From the last call of the builder to the end of the build" }),
    bytes: z.int().nullable().meta({ description: "Bytes of the variant; null when there is none" }),
    reason: z.string().nullable(),
    tries: z.int().meta({ description: "Calls of the builder" }),
    endedAt: z.iso.datetime(),
  })
  .meta({ id: "Build" });

const counts = z
  .object({
    at: z.iso.datetime().meta({ description: "When the second begins" }),
    admitted: z.int(),
    coalesced: z
      .int()
      .meta({ description: "Requests for variants that were already waiting or being built" }),
    refused: z.int().meta({ description: "Orders for which there was no budget, or no place in the lane" }),
    built: z.int(),
    failed: z.int(),
  })
  .meta({ id: "SecondCounts" });

const lane = z.object({
  waiting: z.int(),
  max: z.int(),
  oldestAt: z.iso.datetime().nullable().meta({ description: "When the oldest waiting build was admitted" }),
});

const activity = z
  .object({
    builds: z.array(build).meta({ description: "The last 100 builds, newest first" }),
    perSecond: z.array(counts).meta({
      description: "Seconds of the last hour in which something happened, oldest first",
    }),
    queue: z.object({ light: lane, heavy: lane, idle: lane, running: z.int() }),
    budget: z.object({
      used: z.int(),
      max: z.int(),
      resetsAt: z.iso.datetime().nullable().meta({ description: "Null while nothing is charged" }),
    }),
  })
  .meta({ id: "Activity" });

const isoTime = (ms: number): string => new Date(ms).toISOString();
const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** Reads a build's key, `v/{spaceId}/{mediaId}/{version}/{file}`. An empty list for another key. */
function viewOfBuild({ key, endedAt, ...build }: RecentBuild) {
  const [, , mediaId = "", version = "", file = ""] = key.split("/");
  const parsed = parseVariantFile(file);
  if (!parsed) return [];
  const { width, format, quality } = parsed;
  const named = { mediaId, masterVersion: Number(version), file, width, format, quality };
  return [{ ...named, ...build, endedAt: isoTime(endedAt) }];
}

const MAX: Record<JobLane, number> = {
  light: QUEUE.lightWaitingMax,
  heavy: QUEUE.heavyWaitingMax,
  idle: QUEUE.idleWaitingMax,
};

const viewOfLane = (name: JobLane, { waiting, oldestAt }: LaneState) => ({
  waiting,
  max: MAX[name],
  oldestAt: isoTimeOrNull(oldestAt),
});

const viewOf = ({ builds, perSecond, lanes, running, budget }: QueueActivity) => ({
  builds: builds.flatMap(viewOfBuild),
  perSecond: perSecond.map(({ at, ...counts }) => ({ at: isoTime(at), ...counts })),
  queue: {
    light: viewOfLane("light", lanes.light),
    heavy: viewOfLane("heavy", lanes.heavy),
    idle: viewOfLane("idle", lanes.idle),
    running,
  },
  budget: { ...budget, resetsAt: isoTimeOrNull(budget.resetsAt) },
});

export function mountActivity(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/activity",
      access: "read",
      reaches: "media work",
      doc: {
        operationId: "getActivity",
        tag: "Spaces",
        summary: "Read the last builds of the space, the counts of the last hour, and the state of its queue",
        answers: { 200: { description: "The activity", schema: oneOf(activity) } },
        errors: ["UNAVAILABLE"],
      },
    },
    async ({ c, space }) => {
      const activity = answered(spaceQueue(c.env, space.id).activity(), "The space's queue");
      return respond(c, viewOf(await activity));
    },
  );
}
