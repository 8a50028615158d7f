/** The keys of the space. A key itself is in the answer that makes it, and nowhere after that. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";

export type ApiKey = components["schemas"]["ApiKey"];
export type KeyRole = ApiKey["role"];
export type GivenScopes = components["schemas"]["Scopes"];

export interface NewKeyInput {
  name: string;
  role: KeyRole;
  scopes: GivenScopes | null;
  /** An ISO 8601 time; null for never. */
  expiresAt: string | null;
}

export const KEYS = ["keys"];
const PAGE_KEYS = 100;

/** @param after the change of the space after which the list is read; left out for the list that pages share */
export function useKeys(after?: string) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: after === undefined ? KEYS : [...KEYS, after],
    queryFn: async () => {
      const keys: ApiKey[] = [];
      let cursor: string | null = null;
      do {
        const query: { limit: number; cursor?: string } = {
          limit: PAGE_KEYS,
          ...(cursor !== null && { cursor }),
        };
        const page = await answered(api.GET("/api/v1/{spaceName}/keys", { params: { path, query } }));
        keys.push(...page.data);
        cursor = page.meta.nextCursor;
      } while (cursor !== null);
      return keys;
    },
  });
}

export function useCreateKey() {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewKeyInput) =>
      (await answered(api.POST("/api/v1/{spaceName}/keys", { params: { path }, body }))).data,
    // The mutation holds the key, and is forgotten with the dialog that shows it.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
}

export function useRevokeKey() {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id: keyId }: ApiKey) =>
      answered(api.DELETE("/api/v1/{spaceName}/keys/{keyId}", { params: { path: { ...path, keyId } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
}
