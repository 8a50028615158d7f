/** The writes of a space itself: made, its settings and languages, its plan, its name, its end. */
import type { Stream } from "./stream.ts";

/** Makes a space, changes its settings, plan and name, and removes it. */
export async function lifeOfSpace(s: Stream): Promise<void> {
  const name = s.mark();
  const key = s.victim.service.rootToken;
  const found = (condition = "1"): string[] =>
    s.rows.ids(`SELECT id FROM spaces WHERE name = ? AND removed_at IS NULL AND ${condition}`, name);
  await s.write({
    send: { method: "POST", path: "/api/v1/spaces", json: { name }, key },
    lines: () => found().map(() => `space.created ${name}`),
    spaceId: () => found()[0] ?? null,
  });
  const id = found()[0] ?? "";
  const spaceId = (): string => id;
  const change = (path: string, json: object, line: string, condition: string) =>
    s.write({
      send: { method: "PATCH", path: `/api/v1/${name}${path}`, json, key },
      lines: () => found(condition).map(() => line),
      spaceId,
    });
  await change("/settings", { quality: 95 }, `settings.changed ${name}`, "quality = 95");
  const locales = [{ code: "en" }, { code: "de" }];
  await change(
    "/settings",
    { locales },
    `settings.changed ${name}`,
    "json_array_length(locales, '$.list') = 2",
  );
  const dropped = { locales: [{ code: "en" }], dropLocales: ["de"] };
  await change("/settings", dropped, `settings.changed ${name}`, "json_array_length(locales, '$.list') = 1");
  await change("", { plan: { historyDays: 7 } }, `space.changed ${name}`, "history_days = 7");
  const other = s.mark();
  await s.write({
    send: { method: "PATCH", path: `/api/v1/${name}`, json: { name: other }, key },
    lines: () =>
      s.rows.ids("SELECT name FROM spaces WHERE name = ?", other).map((now) => `space.renamed ${now}`),
    spaceId,
  });
  await s.write({
    send: { method: "DELETE", path: `/api/v1/${other}`, json: { confirm: other }, key },
    lines: () =>
      s.rows.has("SELECT 1 FROM spaces WHERE name = ? AND removed_at IS NULL", other)
        ? []
        : [`space.removed ${other}`],
    spaceId,
  });
}
