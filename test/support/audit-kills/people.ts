/** The writes of keys, tokens, members, sessions and webhooks. */
import type { OpenProvider } from "./provider.ts";
import type { Stream } from "./stream.ts";

/** Makes one of a list, which a query finds by its mark. @returns its id */
async function make(
  s: Stream,
  {
    kind,
    path,
    json,
    query,
    mark,
  }: { kind: string; path: string; json: object; query: string; mark: string },
): Promise<string> {
  const found = (): string[] => s.rows.ids(query, s.space.id, mark);
  await s.write({
    send: { method: "POST", path, json },
    lines: () => found().map((id) => `${kind}.created ${id}`),
  });
  return found()[0] ?? "";
}

/** Removes one of a list. */
async function remove(s: Stream, kind: string, path: string, query: string, id: string): Promise<void> {
  await s.write({
    send: { method: "DELETE", path: `${path}/${id}` },
    lines: () => (s.rows.has(query, id) ? [] : [`${kind}.removed ${id}`]),
  });
}

/** Makes and removes a key and a webhook, and makes a preview token. */
export async function keysAndHooks(s: Stream): Promise<void> {
  const name = s.mark();
  const query = "SELECT id FROM api_keys WHERE space_id = ? AND name = ?";
  const key = await make(s, { kind: "key", path: "/keys", json: { name, role: "read" }, query, mark: name });
  await remove(s, "key", "/keys", "SELECT 1 FROM api_keys WHERE id = ?", key);

  const tokens = (): string[] =>
    s.rows.ids("SELECT maker_id FROM preview_tokens WHERE space_id = ?", s.space.id);
  const before = tokens().length;
  await s.write({
    send: { method: "POST", path: "/preview-tokens", json: { ttlSeconds: 86_400 } },
    lines: () =>
      tokens()
        .slice(before)
        .map((maker) => `token.created ${maker}`),
  });

  const hookName = s.mark();
  // No process listens there: a delivery fails at once, and is tried again later.
  const json = { name: hookName, url: "http://localhost:9/hook", events: ["media.removed"] };
  const hook = await make(s, {
    ...{ kind: "webhook", path: "/webhooks", json, mark: hookName },
    query: "SELECT id FROM webhooks WHERE space_id = ? AND name = ?",
  });
  await s.write({
    send: { method: "PATCH", path: `/webhooks/${hook}`, json: { events: ["*"] } },
    lines: () =>
      s.rows
        .ids(`SELECT id FROM webhooks WHERE id = ? AND events = '["*"]'`, hook)
        .map((id) => `webhook.changed ${id}`),
  });
  const isThere = "SELECT 1 FROM webhooks WHERE id = ? AND state <> 'removed'";
  await remove(s, "webhook", "/webhooks", isThere, hook);
}

/** Returns the story of a caller who invites a member; the member signs in by a provider, and the caller removes it. */
export const members =
  (provider: OpenProvider) =>
  async (s: Stream): Promise<void> => {
    const email = `${s.mark()}@example.com`;
    const id = await make(s, {
      ...{ kind: "member", path: "/members", json: { email, role: "write" }, mark: email },
      query: "SELECT id FROM members WHERE space_id = ? AND email = ?",
    });
    await s.write({
      send: { method: "PATCH", path: `/members/${id}`, json: { role: "read" } },
      lines: () =>
        s.rows
          .ids("SELECT id FROM members WHERE id = ? AND role = 'read'", id)
          .map((found) => `member.changed ${found}`),
    });
    const sessions = (): number =>
      s.rows.all("SELECT 1 FROM sessions WHERE space_id = ? AND sub = ?", s.space.id, `sub of ${email}`)
        .length;
    const signIn = (count: number): Promise<Record<string, unknown> | null> =>
      s.write({
        send: () =>
          Promise.resolve({ method: "POST", path: "/sessions", json: provider.grant(email), key: "" }),
        lines: () => (sessions() === count ? [`session.created ${id}`] : []),
      });
    const session = await signIn(1);
    // The token of a sign-in whose answer was cut off is lost.
    const key = session?.["token"];
    if (typeof key === "string")
      await s.write({
        send: { method: "DELETE", path: "/sessions/self", key },
        lines: () => (sessions() === 0 ? [`session.ended ${id}`] : []),
      });
    await signIn(sessions() + 1);
    await s.write({
      send: { method: "DELETE", path: `/members/${id}/sessions` },
      lines: () => (sessions() === 0 ? [`session.ended ${id}`] : []),
    });
    await remove(s, "member", "/members", "SELECT 1 FROM members WHERE id = ?", id);
  };
