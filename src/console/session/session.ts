/** The client of a session. */
import { createClient, type AnySpace, type SpaceClient } from "../../client/index.ts";
import { takeEarly } from "./early.ts";
import type { Session } from "./kept.ts";

export type Client = SpaceClient<AnySpace>;

/**
 * Waits for the next sign-in.
 * @param refused the key that the service knows no more
 * @param lost the thing that is lost if the reader leaves instead, in a sentence; null for nothing
 * @returns the next key; null if the next session may not go on with the page
 */
export type Renewed = (refused: string, lost: string | null) => Promise<string | null>;

const READS = ["GET", "HEAD"];
const WAITING_CHANGE = "A change that you have sent waits for the sign-in.";

/**
 * Returns the client of a session. A request that is refused because the session has ended waits for the next sign-in,
 * and is then sent again: its form is still there, and so is what the reader typed.
 */
export const clientOf = (
  { space, key }: Pick<Session, "space" | "key">,
  renewed: Renewed = () => Promise.resolve(null),
): Client =>
  createClient({
    baseUrl: location.origin,
    space,
    key,
    fetch: async (request) => {
      // A body is read once.
      const spare = request.clone();
      let response = await (takeEarly(request, key) ?? fetch(request));
      let used: string | null = key;
      while (response.status === 401) {
        used = await renewed(used, READS.includes(request.method) ? null : WAITING_CHANGE);
        if (used === null) break;
        const again = spare.clone();
        again.headers.set("Authorization", `Bearer ${used}`);
        response = await fetch(again);
      }
      return response;
    },
  });
