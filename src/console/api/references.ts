/** Which records name a record or a media item. */
import { useQuery } from "@tanstack/preact-query";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import type { Place } from "./records.ts";

const REFERENCES = "references";
const SHOWN_MAX = 20;
const query = { limit: SHOWN_MAX };

export function useRecordReferences({ typeModel, name: model }: Place, id: string) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: [REFERENCES, typeModel, model, id],
    queryFn: () =>
      answered(
        api.GET("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}/references", {
          params: { path: { ...path, typeModel, model, id }, query },
        }),
      ),
  });
}

export function useMediaReferences(mediaId: string) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: [REFERENCES, "media", mediaId],
    queryFn: () =>
      answered(
        api.GET("/api/v1/{spaceName}/media/{mediaId}/references", {
          params: { path: { ...path, mediaId }, query },
        }),
      ),
  });
}
