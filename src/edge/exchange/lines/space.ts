/** The lines of a space, of its models and of its webhooks. */
import { componentNamesOf } from "../../../content/model/components.ts";
import { localesIn } from "../../../content/locales/locales.ts";
import { modelOf, modelView } from "../../../content/model/model.ts";
import { EXCHANGE_FORMAT, type SpaceLine } from "../../../exchange/lines.ts";
import { settingsOf } from "../../spaces/settings.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { allWebhooks } from "../../storage/webhooks/webhooks.ts";
import { droppedOf } from "../locales.ts";
import { iso } from "../record-lines.ts";
import { webhookLine } from "../webhook-lines.ts";
import { START, type Exported, type ExportSource, type Lines, type Place } from "./place.ts";

/** Returns the name of a model in places. */
export const keyOf = ({ typeModel, name }: Pick<ModelRow, "typeModel" | "name">): string =>
  `${typeModel}/${name}`;

/** Returns the models in an order in which components stand before the models that hold them. */
export function inOrder(rows: readonly ModelRow[]): ModelRow[] {
  const byName = new Map(
    rows.filter(({ typeModel }) => typeModel === "components").map((row) => [row.name, row]),
  );
  const ordered = new Set<ModelRow>();
  const add = (row: ModelRow): void => {
    if (ordered.has(row)) return;
    for (const name of modelOf(row).fields.flatMap(componentNamesOf)) {
      const held = byName.get(name);
      if (held && held !== row) add(held);
    }
    ordered.add(row);
  };
  for (const row of byName.values()) add(row);
  for (const row of rows) add(row);
  return [...ordered];
}

function spaceLine({ space, startedAt }: ExportSource): SpaceLine {
  const dropped = droppedOf(localesIn(space.locales));
  return {
    kind: "space",
    format: EXCHANGE_FORMAT,
    exportedAt: iso(startedAt),
    settings: settingsOf(space) as unknown as SpaceLine["settings"],
    ...(dropped.length > 0 && {
      droppedLocales: Object.fromEntries(dropped.map(([code, { until }]) => [code, iso(until)])),
    }),
  };
}

/** Yields the line of the space itself. */
export function* spaceLines(source: ExportSource): Generator<Exported> {
  yield { text: JSON.stringify(spaceLine(source)), place: { ...START, step: "models" } };
}

export function* modelLines(rows: readonly ModelRow[], place: Place): Generator<Exported> {
  const last = rows.findIndex((row) => keyOf(row) === place.model);
  for (const row of rows.slice(last + 1)) {
    yield {
      text: JSON.stringify({ kind: "model", ...modelView(row) }),
      place: { ...place, model: keyOf(row) },
    };
  }
}

export async function* webhookLines({ db, space }: ExportSource, place: Place): Lines {
  for (const row of await allWebhooks(db, space.id))
    if (row.id > place.id) yield { text: JSON.stringify(webhookLine(row)), place: { ...place, id: row.id } };
}
