/** Documents of models, as `silverprint pull` writes them: planned, and applied as they were planned. */
import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import type { ModelsDocument } from "./document-text.ts";

/** Asks the service what a document would change, without changing anything. */
export function usePlanDocument() {
  const { api, path } = useApi();
  return useMutation({
    mutationFn: async (document: ModelsDocument) =>
      (await answered(api.POST("/api/v1/{spaceName}/models/plan", { params: { path }, body: document })))
        .data,
  });
}

/** The outcome of a document that was applied: how many models are done, and those that are changed in the background. */
export interface Applied {
  isComplete: boolean;
  working: string[];
}

/** Applies a document as it was planned, in as many requests as it takes, up to a change in the background. */
export function useApplyDocument() {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (asked: {
      document: ModelsDocument;
      hash: string;
      allowDrop: string[];
    }): Promise<Applied> => {
      const body = { ...asked.document, allowDrop: asked.allowDrop };
      let { hash } = asked;
      for (;;) {
        const { data } = await answered(
          api.POST("/api/v1/{spaceName}/models/apply", { params: { path }, body: { ...body, hash } }),
        );
        const working = data.working.map(({ model }) => model);
        if (data.isComplete || working.length > 0) return { isComplete: data.isComplete, working };
        // One request makes some of the changes. A new plan has the others.
        const next = await answered(api.POST("/api/v1/{spaceName}/models/plan", { params: { path }, body }));
        ({ hash } = next.data);
      }
    },
    onSettled: () =>
      Promise.all(
        ["models", "records", "record", "settings"].map((key) =>
          queries.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
}
