/** Many records published, taken back or thrown away together. */
import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { SilverprintError } from "../../client/index.ts";
import { CONTENT } from "../../limits.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import type { Place } from "./records.ts";

export type BulkStep = "publish" | "unpublish" | "delete";

export interface BulkOutcome {
  /** Ids of the records that the step was taken for. */
  done: string[];
  /** Ids of the others. */
  left: string[];
  /** What stands in the way, per record. */
  faults: { id: string; message: string }[];
  /** Null when all was done. */
  error: Error | null;
}

const OPERATION = /^operations\.(\d+)(?:\.(?:data\.|data$|id$|ifMatch$)?(.*))?$/;

function faultsOf(error: unknown, ids: readonly string[]): BulkOutcome["faults"] {
  const details = error instanceof SilverprintError ? (error.details ?? []) : [];
  return details.flatMap(({ path, message }) => {
    const [, index, field = ""] = OPERATION.exec(path) ?? [];
    const id = index === undefined ? undefined : ids[Number(index)];
    return id === undefined ? [] : [{ id, message: `${field} ${message}`.trim() }];
  });
}

/** A call takes so many records, all or none of them: where one call fails, those before it are done. */
export function useBulk({ typeModel, name: model }: Place) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ step, ids }: { step: BulkStep; ids: readonly string[] }): Promise<BulkOutcome> => {
      for (let start = 0; start < ids.length; start += CONTENT.bulkOperationsMax) {
        const slice = ids.slice(start, start + CONTENT.bulkOperationsMax);
        try {
          await answered(
            api.POST("/api/v1/{spaceName}/data/{typeModel}/{model}/bulk", {
              params: { path: { ...path, typeModel, model } },
              body: { operations: slice.map((id) => ({ op: step, id })) },
            }),
          );
        } catch (error) {
          const [done, left] = [ids.slice(0, start), ids.slice(start)];
          return { done, left, faults: faultsOf(error, slice), error: error as Error };
        }
      }
      return { done: [...ids], left: [], faults: [], error: null };
    },
    onSettled: () => {
      for (const queryKey of [["records"], ["record"], ["trash"], ["usage"], ["references"], ["versions"]])
        void queries.invalidateQueries({ queryKey });
    },
  });
}
