/**
 * The queue of the space and the variants of a picture, which the console asks for again and again while they are
 * shown.
 */
import { useQuery } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";

type Schemas = components["schemas"];
export type Activity = Schemas["Activity"];
export type Build = Schemas["Build"];
export type SecondCounts = Schemas["SecondCounts"];
export type LaneState = Activity["queue"]["light"];
export type Variant = Schemas["Variant"];
export type QueuedVariant = Schemas["QueuedVariant"];
export type FailedVariant = Schemas["FailedVariant"];

const ACTIVITY_EVERY_MS = 2500;
/** While something is on its way, and while nothing is. */
const VARIANTS_BUSY_MS = 1500;
const VARIANTS_QUIET_MS = 10_000;

export function useActivity() {
  const { api, path } = useApi();
  return useQuery({
    queryKey: ["activity"],
    queryFn: async () => (await answered(api.GET("/api/v1/{spaceName}/activity", { params: { path } }))).data,
    refetchInterval: ACTIVITY_EVERY_MS,
    staleTime: 0,
  });
}

export function useVariants(mediaId: string) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: ["variants", mediaId],
    queryFn: () =>
      answered(
        api.GET("/api/v1/{spaceName}/media/{mediaId}/variants", { params: { path: { ...path, mediaId } } }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data && data.meta.queued.length > 0 ? VARIANTS_BUSY_MS : VARIANTS_QUIET_MS,
    staleTime: 0,
  });
}
