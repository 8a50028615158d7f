/**
 * Finds the conflicts of a change of a component with the records that hold objects of it (RULES 3.26). Each object is
 * looked at as a record of the component would be.
 */
import type { NestedObject } from "../../../content/field-types/field-type.ts";
import { defaultOf, isEmptyValue, isNested, type StoredField } from "../../../content/field-types/fields.ts";
import { storedIn } from "../../../content/field-types/nested/objects.ts";
import { objectsDeepIn } from "../../../content/field-types/nested/references.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import { modelOf, valuesOf, type Model } from "../../../content/model/model.ts";
import { CONTENTS, rowsOf } from "../../../content/model/publication.ts";
import type { StepBudget } from "../../../content/patterns/step-budget.ts";
import { CONTENT, PATTERN } from "../../../limits.ts";
import { budgetOf, takePatternTurn } from "../../spaces/pattern-turns.ts";
import type { Database } from "../../storage/database/database.ts";
import { countHeldRecords, type HolderRow } from "../../storage/models/holders.ts";
import type { ModelChange } from "./1-compare-fields.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { hasLocalized, sideOf } from "../../../content/model/localized-model.ts";
import { countSides } from "../../storage/models/model-values.ts";
import { allContents, misfitOf, type LocaleContent } from "./misfits.ts";
import { counted, lossConflict, NAME_IT, type ChangeConflict } from "./conflicts.ts";
import type { LookOptions, Outlook } from "./2-find-conflicts.ts";

/** A change of a component. */
export interface ComponentChange {
  /** The number of the component's model. */
  id: number;
  change: ModelChange;
}

/** The reason why an object does not fit. */
export interface ObjectMisfit {
  /** The field's present name; the new one of an added field. */
  name: string;
  kind: "held" | "lacking" | "misfit";
  /** The words after "the value in record 01J…"; empty for the other kinds. */
  message: string;
}

const isLacking = (field: Field): boolean => field.required === true && isEmptyValue(field, defaultOf(field));

/** Returns whether a change depends on the records, which may then not change between check and write. */
export const dependsOnObjects = ({ kept, added, mustBeUnused }: ModelChange): boolean =>
  mustBeUnused.length > 0 || kept.some(({ mustCheck }) => mustCheck) || added.some(isLacking);

/** Returns the models with records among the holders of a component. */
export const recordHolders = (holders: readonly HolderRow[]): Model[] =>
  holders.filter(({ typeModel }) => typeModel !== "components").map(modelOf);

const isHeld = ({ object }: NestedObject, field: StoredField): boolean =>
  !isEmptyValue(field, storedIn(object, field));

function misfitsOfObject(
  one: NestedObject,
  { kept, added, mustBeUnused }: ModelChange,
  isWhole: boolean,
  budget: StepBudget,
): ObjectMisfit[] {
  const ofKept = ({ before, after }: KeptField, field: KeptField): string | null =>
    misfitOf(field, storedIn(one.object, before), isWhole && after.required === true, budget);
  return [
    ...mustBeUnused
      .filter((field) => isHeld(one, field))
      .map(({ name }) => ({ name, kind: "held" as const, message: "" })),
    ...(isWhole ? added.filter(isLacking) : []).map(({ name }) => ({
      name,
      kind: "lacking" as const,
      message: "",
    })),
    ...kept
      .filter(({ mustCheck }) => mustCheck)
      .flatMap((field): ObjectMisfit[] => {
        const fault = ofKept(field, field);
        const { name } = field.before;
        return fault === null ? [] : [{ name, kind: "misfit", message: `at ${one.path}.${name} ${fault}` }];
      }),
  ];
}

/**
 * Returns the reasons why the objects of a component in one record would not fit, in one locale.
 * @param budget of this record alone, so that the patterns of other records cannot make it a misfit
 */
export function misfitsInRecord(
  holder: Model,
  { id, change }: ComponentChange,
  { content, locale, data }: LocaleContent,
  budget: StepBudget,
): ObjectMisfit[] {
  const model = locale === DEFAULT_NUMBER ? holder : sideOf(holder, locale);
  const values = valuesOf(model, data);
  const isWhole = content === "published";
  return model.fields.filter(isNested).flatMap((field) =>
    objectsDeepIn(field, values.get(field.no) ?? null)
      .filter(({ component }) => component.id === id)
      .map((one) => ({ ...one, path: one.path === "" ? field.name : `${field.name}.${one.path}` }))
      .flatMap((one) => misfitsOfObject(one, change, isWhole, budget)),
  );
}

/** The misfits of several records, by field and kind. */
export class FoundMisfits {
  readonly #found = new Map<string, { misfit: ObjectMisfit; ids: Map<string, string> }>();

  add(recordId: string, misfit: ObjectMisfit): void {
    const key = `${misfit.kind} ${misfit.name}`;
    const known = this.#found.get(key) ?? { misfit, ids: new Map<string, string>() };
    if (!known.ids.has(recordId)) known.ids.set(recordId, misfit.message);
    this.#found.set(key, known);
  }

  /** Returns one conflict per field and kind, which names at most `namedMax` of the records. */
  conflicts(namedMax: number): ChangeConflict[] {
    return [...this.#found.values()].map(({ misfit: { name, kind }, ids }) =>
      kind === "held"
        ? lossConflict(name, { drop: name, fact: heldFact(ids.size), records: ids.size }, NAME_IT)
        : { path: name, message: messageOf(kind, ids, namedMax), records: ids.size },
    );
  }
}

const heldFact = (records: number): string =>
  `would be removed, and ${counted(records)} ${records === 1 ? "holds" : "hold"} values`;

function messageOf(
  kind: Exclude<ObjectMisfit["kind"], "held">,
  ids: ReadonlyMap<string, string>,
  namedMax: number,
): string {
  const records = counted(ids.size);
  switch (kind) {
    case "lacking": {
      const hold = ids.size === 1 ? "holds" : "hold";
      return `is required and has no default, and ${records} ${hold} the component; give it a default`;
    }
    case "misfit": {
      const named = [...ids].slice(0, namedMax);
      const list = named.map(([id, message]) => `the value in record ${id} ${message}`).join(", ");
      return `does not fit ${records}: ${list}`;
    }
    default:
      return kind satisfies never;
  }
}

/** Finds all conflicts of a change of a component. */
export async function componentConflicts(
  db: Database,
  spaceId: string,
  component: ComponentChange,
  holders: readonly Model[],
  { isChecked = false, isSpent = () => false }: Pick<LookOptions, "isChecked" | "isSpent">,
): Promise<Outlook> {
  const ids = holders.map(({ id }) => id);
  if (isSpent()) return { conflicts: [], records: 0, isLarge: true };
  const records = await countHeldRecords(db, ids);
  const none = { conflicts: [], records, isLarge: false };
  if (isChecked || !dependsOnObjects(component.change)) return none;
  const max = CONTENT.checkedRecordsMax;
  const sides = holders.some(hasLocalized) ? await countSides(db, ids, max + 1) : 0;
  if (records + sides > max) return { ...none, isLarge: true };
  const found = new FoundMisfits();
  const checked = component.change.kept.map(({ after }) => after);
  let steps = 0;
  for (const holder of holders) {
    for (const content of holder.drafts ? CONTENTS : (["published"] as const)) {
      for await (const { id, ...one } of allContents(db, rowsOf(holder, content), hasLocalized(holder))) {
        if (steps > PATTERN.stepsMax || isSpent())
          return { ...none, conflicts: found.conflicts(1), isLarge: true };
        await takePatternTurn(spaceId, checked);
        const budget = budgetOf(spaceId);
        for (const misfit of misfitsInRecord(holder, component, { ...one, content }, budget))
          found.add(id, misfit);
        steps += budget.spent;
      }
    }
  }
  return { ...none, conflicts: found.conflicts(1) };
}
