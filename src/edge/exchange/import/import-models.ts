/** Puts settings and models into a space (RULES 18.6). */
import * as z from "zod";
import { ApiError } from "../../../errors.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import {
  changedLocales,
  hasLocales,
  localesIn,
  NO_LOCALES,
  type Locale,
} from "../../../content/locales/locales.ts";
import { without } from "../../../content/locales/without.ts";
import { localeCode } from "../../../content/locales/codes.ts";
import { modelView } from "../../../content/model/model.ts";
import type { TypeModel } from "../../../content/model/type-models.ts";
import { changeLocales } from "../../spaces/locales.ts";
import { INITIAL_SETTINGS, settingsOf, type SettingsChange } from "../../spaces/settings.ts";
import { changeSettings } from "../../spaces/spaces.ts";
import { changeModel } from "../../models/change/change-model.ts";
import { createModel, type ModelInput } from "../../models/models.ts";
import { NO_OPTIONS, type AskedOptions } from "../../models/model-options.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { readModel } from "../../storage/models/models.ts";
import { updateLocales } from "../../storage/spaces/space-locales.ts";
import type { ImportContext, Numbered } from "./context.ts";
import { time } from "./line-schemas.ts";

/** The line of a space, whose settings its own route's schema checks. */
export const spaceSchema = z.object({
  kind: z.literal("space"),
  format: z.literal(1, { error: "is not a form of lines that this service knows" }),
  settings: z.record(z.string(), z.unknown()),
  droppedLocales: z.record(z.string(), time).optional(),
});
export type SpaceIn = z.output<typeof spaceSchema>;

/** A line of a model, after its route's schema. */
export interface ModelIn {
  typeModel: TypeModel;
  name: string;
  fields: Field[];
  options: AskedOptions;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** The line as it came. */
  given: Record<string, unknown>;
}

/** The settings of a line, of which locales are changed apart. */
export interface SettingsIn {
  settings: SettingsChange;
  locales?: readonly { code: string; fallback?: string | null | undefined }[] | undefined;
}

/** The settings of a space that nobody has changed. */
const DEFAULTS = settingsOf(INITIAL_SETTINGS) as unknown as Readonly<Record<string, unknown>>;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Puts the settings of a line into the space. A setting of the space that is not the default stays. */
export async function importSpace(
  context: ImportContext,
  { n, line }: Numbered<SpaceIn>,
  given: SettingsIn,
): Promise<void> {
  const { db, report, isOverwriting, now } = context;
  const held = settingsOf(context.space) as unknown as Record<string, unknown>;
  const changed = Object.entries(given.settings).filter(
    ([name, value]) => value !== undefined && !isSame(held[name], value),
  );
  const different: [string, unknown][] = changed.filter(
    ([name]) => !isOverwriting && !isSame(held[name], DEFAULTS[name]),
  );
  const isLeft = new Set(different.map(([name]) => name));
  const taken = changed.filter(([name]) => !isLeft.has(name));
  try {
    if (taken.length > 0)
      context.space = await changeSettings(db, context.space, Object.fromEntries(taken), {
        origin: context.origin,
        now: now(),
      });
    const locales = await importLocales(context, line, given);
    await context.refresh();
    if (locales === "differ") different.push(["locales", null]);
    if (different.length > 0) {
      report.differs(
        n,
        `settings.${different[0]?.[0]}`,
        `the space has other settings: ${different.map(([name]) => name).join(", ")}`,
      );
    } else if (taken.length > 0 || locales === "changed") report.imported(context.space.name);
    else report.unchanged();
  } catch (error) {
    report.refuseError(n, error, "settings");
  }
}

async function importLocales(
  context: ImportContext,
  line: SpaceIn,
  { locales }: SettingsIn,
): Promise<"same" | "changed" | "differ"> {
  const { db, space, isOverwriting, now, origin } = context;
  const held = localesIn(space.locales);
  if (!locales || locales.length === 0) return hasLocales(held) && locales ? "differ" : "same";
  const asked = locales.map(({ code, fallback }) => ({
    code: localeCode(code) ?? code,
    ...(typeof fallback === "string" && { fallback: localeCode(fallback) ?? fallback }),
  }));
  const dropped = Object.entries(line.droppedLocales ?? {});
  if (hasLocales(held)) {
    if (isSame(held.list, asked)) return "same";
    if (!isOverwriting) return "differ";
    context.space = await changeLocales(db, space, { locales, dropLocales: [] }, { origin, now: now() });
    return "changed";
  }
  context.space = await changeLocales(db, space, { locales, dropLocales: [] }, { origin, now: now() });
  if (dropped.length > 0) await addDropped(context, dropped);
  return "changed";
}

/** Adds locales that were removed, and whose values are kept, with numbers of their own. */
async function addDropped(context: ImportContext, dropped: readonly [string, number][]): Promise<void> {
  const { db, space, origin, now } = context;
  const before = localesIn(space.locales);
  const codes = dropped.flatMap(([text, until]): [string, number][] => {
    const code = localeCode(text);
    return code === null || before.list.some((one) => one.code === code) ? [] : [[code, until]];
  });
  const list: Locale[] = codes.map(([code]) => ({ code }));
  // The first of a list is the default, which has no number.
  const numbered = changedLocales({ ...NO_LOCALES, last: before.last }, [{ code: "und" }, ...list], {
    codes: [],
    now: 0,
    keptDays: 0,
  });
  const kept = codes.map(([code, until]) => [code, { no: numbered.numbers[code] ?? 0, until }] as const);
  const after = {
    ...before,
    last: numbered.last,
    dropped: { ...before.dropped, ...Object.fromEntries(kept) },
  };
  await updateLocales(db, {
    space,
    after,
    mustBeUnused: [],
    isDefaultChanged: false,
    by: { origin, now: now() },
  });
}

/** Puts models into the space, components before those that hold them. */
export async function importModels(
  context: ImportContext,
  lines: readonly Numbered<ModelIn>[],
): Promise<void> {
  const coming = new Set(lines.flatMap(({ line }) => (line.typeModel === "collections" ? [line.name] : [])));
  for (const one of lines) {
    if (context.isSpent) context.leave([one]);
    else await importModel(context, one, coming);
  }
  await context.refresh();
}

async function importModel(
  context: ImportContext,
  { n, line }: Numbered<ModelIn>,
  coming: ReadonlySet<string>,
): Promise<void> {
  const { db, space, report, now, origin } = context;
  const { typeModel, name, fields, options } = line;
  try {
    const held = await readModel(db, space.id, typeModel, name);
    if (!held) {
      const input: ModelInput = {
        ...{ typeModel, name, fields, options, coming },
        // A name that is reserved for new fields alone stays with a model that has it.
        before: fields as unknown as NonNullable<ModelInput["before"]>,
      };
      const { version, createdAt, updatedAt } = line;
      await createModel(db, space, input, { origin, now: now() }, { version, createdAt, updatedAt });
      report.imported(`${typeModel}/${name}`);
      return;
    }
    // An option that the line leaves out is its default, as in lines that are older than the option.
    const given = { ...NO_OPTIONS, ...without(line.given, "kind") };
    if (isSame(sorted(modelView(held)), sorted(given))) {
      report.unchanged();
      return;
    }
    const times = ["version", "createdAt", "updatedAt"] as const;
    const [theirs, ours] = [without(modelView(held), ...times), without(given, ...times)];
    if (context.isOverwriting && isSame(sorted(theirs), sorted(ours))) {
      report.unchanged();
      return;
    }
    if (!context.isOverwriting) {
      report.differs(n, "name", `the space has another model ${typeModel}/${name}`);
      return;
    }
    await overwriteModel(context, held, line);
    report.imported(`${typeModel}/${name}`);
  } catch (error) {
    report.refuseError(n, error);
  }
}

/** Returns a value with the names of its objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}

async function overwriteModel(
  { db, space, now, origin }: ImportContext,
  row: ModelRow,
  line: ModelIn,
): Promise<void> {
  const { fields, options } = line;
  const asked = { fields, drop: [], rename: new Map<string, string>(), options, faults: [] };
  const changed = await changeModel({ db, space, origin, now: now(), versions: null }, row, asked);
  if ("asked" in changed)
    throw new ApiError(
      "CONFLICT",
      "The change of the model is worked on. Import the line again when it is done.",
    );
}
