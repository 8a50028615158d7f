/** Records published and taken back, now or at a time. */
import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import type { Place, RecordView } from "./records.ts";

export interface Step {
  id: string;
  step: "publish" | "unpublish";
  /** An ISO time; null takes back what is planned; undefined is now. */
  at?: string | null;
}

export function usePublish({ typeModel, name: model }: Place) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, step, at }: Step) => {
      const params = { path: { ...path, typeModel, model, id } };
      const body = at === undefined ? {} : { at };
      const call =
        step === "publish"
          ? api.POST("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}/publish", { params, body })
          : api.POST("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}/unpublish", { params, body });
      return (await answered(call)).data as RecordView;
    },
    onSuccess: (record) => {
      queries.setQueryData(["record", typeModel, model, record.id], record);
      for (const queryKey of [["records"], ["versions"]]) void queries.invalidateQueries({ queryKey });
    },
  });
}
