/** Tells the audit of refusals: of sign-ins, and of callers that lack the role that a route needs (RULES 14.4). */
import { ApiError } from "../../errors.ts";
import type { Caller } from "../spaces/authorize.ts";
import { admit, type AtGate, type ScopedCaller } from "../spaces/gate.ts";
import type { Actor } from "../storage/events/actor.ts";
import type { TargetKind } from "../storage/events/actions.ts";
import { countRefusal } from "../storage/events/refusals.ts";
import type { AppContext } from "./context.ts";
import { byOf } from "./origin.ts";

/** The kinds of what routes are about, by the part of the path after the space. */
const KINDS: ReadonlyMap<string, TargetKind> = new Map([
  ["media", "media"],
  ["data", "record"],
  ["models", "model"],
  ["keys", "key"],
  ["settings", "settings"],
  ["trash", "trash"],
  ["members", "member"],
  ["sessions", "session"],
  ["webhooks", "webhook"],
  ["export", "export"],
  ["import", "import"],
  ["backups", "backup"],
  ["audit", "audit"],
]);

const SIGN_IN_REFUSALS: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "FORBIDDEN"]);

const AFTER_SPACE = 4;

const kindOf = (path: string): TargetKind => KINDS.get(path.split("/")[AFTER_SPACE] ?? "") ?? "space";

type Refused = Pick<Caller, "actor"> & { space: { id: string } };

/**
 * Passes a caller through the gate of a route, and counts the refusal of a route that needs an admin.
 * @throws what `admit` throws
 */
export const passGate = (c: AppContext, caller: ScopedCaller & Refused, gate: AtGate): Promise<void> =>
  countingRefusals(c, caller, gate, () => {
    admit(caller, gate);
  });

/**
 * Runs a part of a route, and counts its refusal where the route needs an admin: the gate's, or the handler's own.
 * @throws what `run` throws
 */
export async function countingRefusals<T>(
  c: AppContext,
  caller: Refused,
  { required }: Pick<AtGate, "required">,
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const isTold = required === "admin" || required === "root";
    if (isTold && error instanceof ApiError && error.code === "FORBIDDEN") await tell(c, caller);
    throw error;
  }
}

/** The actor of a sign-in that the provider has refused. It says nothing about the person then. */
const STRANGER: Actor = { kind: "member", id: "unknown", name: "unknown" };

/**
 * Counts a sign-in that was refused, in the audit of the space that it was for. A failure of the service or of the
 * provider is no refusal.
 * @param email the address of the person; null if the provider did not vouch for one
 */
export async function tellOfSignIn(
  c: AppContext,
  error: unknown,
  space: { id: string },
  email: string | null,
): Promise<void> {
  if (!(error instanceof ApiError) || !SIGN_IN_REFUSALS.has(error.code)) return;
  await tell(c, { space, actor: email === null ? STRANGER : { kind: "member", id: email, name: email } });
}

/** Writes the line. If the database takes no writes, the caller is refused all the same. */
async function tell(c: AppContext, caller: Refused): Promise<void> {
  const { method, path } = c.req;
  const kind = kindOf(path);
  const operation = `${method} ${path}`;
  try {
    await countRefusal(c.get("db"), { spaceId: caller.space.id, kind, operation }, byOf(c, caller));
  } catch (error) {
    const event = { event: "refusal-not-counted", requestId: c.get("requestId"), reason: String(error) };
    console.error(JSON.stringify(event));
  }
}
