/** The client of a session. */
import { createClient, type AnySpace, type SpaceClient } from "../../client/index.ts";
import { takeEarly } from "./early.ts";
import type { Session } from "./kept.ts";

export type Client = SpaceClient<AnySpace>;

/** @param onRefused called when an answer says that the key is no longer known */
export const clientOf = (
  { space, key }: Pick<Session, "space" | "key">,
  onRefused: () => void = () => undefined,
): Client =>
  createClient({
    baseUrl: location.origin,
    space,
    key,
    fetch: async (request) => {
      const response = await (takeEarly(request, key) ?? fetch(request));
      if (response.status === 401) onRefused();
      return response;
    },
  });
