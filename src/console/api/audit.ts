/** The audit of the space: its changes with their actors, newest first. */
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import { endOfDay, startOfDay } from "../lib/days.ts";
import { useList, type List, type Shown } from "./list.ts";

export type AuditLine = components["schemas"]["AuditLine"];
export type AuditAction = AuditLine["action"];

/** The lines that the reader asks for. Empty texts ask for all. */
export interface AuditFilters {
  actor: string;
  action: AuditAction | "";
  target: string;
  /** Dates without a time. */
  from: string;
  to: string;
}

const PAGE_LINES = 60;

/** Returns the query of the filters. A day begins and ends where the reader is. */
function queryOf({ actor, action, target, from, to }: AuditFilters) {
  const filter = { ...(actor && { actor }), ...(action && { action }), ...(target && { target }) };
  return {
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(from && { from: new Date(startOfDay(from)).toISOString() }),
    ...(to && { to: new Date(endOfDay(to)).toISOString() }),
  };
}

export function useAudit(filters: AuditFilters, shown: Shown): List<AuditLine> {
  const { api, path } = useApi();
  return useList({
    queryKey: ["audit", "list", filters],
    read: (cursor, signal) =>
      answered(
        api.GET("/api/v1/{spaceName}/audit", {
          params: {
            path,
            query: { limit: PAGE_LINES, ...queryOf(filters), ...(cursor !== null && { cursor }) },
          },
          signal,
        }),
      ),
    shown,
  });
}
