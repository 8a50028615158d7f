/** The members of the space, who sign in by the deployment's provider. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import { KEYS, type GivenScopes, type KeyRole } from "./keys.ts";

export type Member = components["schemas"]["Member"];

const MEMBERS = ["members"];
const PAGE_MEMBERS = 100;

export function useMembers() {
  const { api, path } = useApi();
  return useQuery({
    queryKey: MEMBERS,
    queryFn: async () => {
      const members: Member[] = [];
      let cursor: string | null = null;
      do {
        const query: { limit: number; cursor?: string } = {
          limit: PAGE_MEMBERS,
          ...(cursor !== null && { cursor }),
        };
        const page = await answered(api.GET("/api/v1/{spaceName}/members", { params: { path, query } }));
        members.push(...page.data);
        cursor = page.meta.nextCursor;
      } while (cursor !== null);
      return members;
    },
  });
}

/** Returns a mutation after which the members, and the keys that name them, are read again. */
function useMemberMutation<Input, Output>(run: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => {
      // Keys name the member that made them. The mutation does not wait for their list.
      void queries.invalidateQueries({ queryKey: KEYS });
      return queries.invalidateQueries({ queryKey: MEMBERS });
    },
  });
}

export interface MemberInput {
  role: KeyRole;
  scopes: GivenScopes | null;
}

export function useInviteMember() {
  const { api, path } = useApi();
  return useMemberMutation(async (body: MemberInput & { email: string }) =>
    answered(api.POST("/api/v1/{spaceName}/members", { params: { path }, body })),
  );
}

export function useChangeMember() {
  const { api, path } = useApi();
  return useMemberMutation(async ({ id, ...body }: Partial<MemberInput> & { id: string; bound?: false }) =>
    answered(
      api.PATCH("/api/v1/{spaceName}/members/{memberId}", {
        params: { path: { ...path, memberId: id } },
        body,
      }),
    ),
  );
}

export function useRemoveMember() {
  const { api, path } = useApi();
  return useMemberMutation(async ({ id }: Member) =>
    answered(
      api.DELETE("/api/v1/{spaceName}/members/{memberId}", { params: { path: { ...path, memberId: id } } }),
    ),
  );
}

export function useEndSessions() {
  const { api, path } = useApi();
  return useMemberMutation(async ({ id }: Member) =>
    answered(
      api.DELETE("/api/v1/{spaceName}/members/{memberId}/sessions", {
        params: { path: { ...path, memberId: id } },
      }),
    ),
  );
}
