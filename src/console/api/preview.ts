/** The preview of a record: the token with which its page reads drafts, and the message to the page after a save. */
import { useQuery } from "@tanstack/preact-query";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";

const TTL_SECONDS = 3600;
/** A token is replaced after three quarters of its time, by this machine's own clock. */
const RENEWED_AFTER_MS = TTL_SECONDS * 750;
/** The wait after a renewal that failed. */
const RETRY_MS = 30_000;

/**
 * Returns a token for previews. It is renewed before it ends, for as long as a preview is shown. All previews of the tab
 * share it.
 */
export function usePreviewToken() {
  const { api, path } = useApi();
  return useQuery({
    queryKey: ["preview-token"],
    staleTime: RENEWED_AFTER_MS,
    refetchInterval: ({ state: { dataUpdatedAt } }) =>
      Math.max(RETRY_MS, dataUpdatedAt + RENEWED_AFTER_MS - Date.now()),
    // The page in the frame reads drafts in the background too.
    refetchIntervalInBackground: true,
    queryFn: async () => {
      const body = { ttlSeconds: TTL_SECONDS };
      const { data } = await answered(
        api.POST("/api/v1/{spaceName}/preview-tokens", { params: { path }, body }),
      );
      return data.token;
    },
  });
}

/** The message to the page of a preview after each save. */
export interface ChangedMessage {
  type: "silverprint:changed";
  space: string;
  typeModel: string;
  model: string;
  id: string;
  /** The locale in which the editor writes; null in a space without locales. */
  locale: string | null;
  version: number;
}
