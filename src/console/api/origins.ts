/** Pictures of other servers: what the space keeps of each origin, and the last fetches. */
import { useQuery } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";

export type RemoteOrigin = components["schemas"]["RemoteOrigin"];
export type RemoteFetch = components["schemas"]["RemoteFetch"];

/** While fetches wait or run, and while none do. */
const BUSY_MS = 2500;
const QUIET_MS = 10_000;

/** @param listed the setting: its counts are read anew when it changes */
export function useOrigins(listed: readonly string[]) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: ["origins", listed],
    queryFn: async () => (await answered(api.GET("/api/v1/{spaceName}/origins", { params: { path } }))).data,
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data } }) => (data && data.waiting + data.running > 0 ? BUSY_MS : QUIET_MS),
    staleTime: 0,
  });
}
