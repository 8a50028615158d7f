/** Asks the service what a key or a session may do. */
import { SilverprintError } from "../../client/index.ts";
import { answered } from "./answered.ts";
import type { Session } from "./kept.ts";
import { clientOf } from "./session.ts";

/** Signs in with a key. @throws Error with words for the reader that typed it */
export async function enter(space: string, key: string): Promise<Session> {
  const { api } = clientOf({ space, key });
  try {
    const params = { path: { spaceName: space } };
    const { data } = await answered(api.GET("/api/v1/{spaceName}/keys/self", { params }));
    const { name, role, member } = data;
    return { space: data.space, key, name, role, member: member ? (member.id ?? member.email) : null };
  } catch (error) {
    if (!(error instanceof SilverprintError)) throw error;
    if (error.status === 401)
      throw new Error("This key is not known. Check that all of it was copied.", { cause: error });
    if (error.status === 404)
      throw new Error("There is no such space, or the key is another space's.", { cause: error });
    throw error;
  }
}
