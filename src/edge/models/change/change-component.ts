/** Writes a change of a component, and the copies of it in the models that hold it (RULES 3.26). */
import { isSearchable } from "../../../content/field-types/fields.ts";
import { modelOf } from "../../../content/model/model.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import type { ModelChangeRow } from "../../storage/models/background-changes.ts";
import { updateComponent } from "../../storage/models/change-component.ts";
import { readComponents } from "../../storage/models/components.ts";
import { readModel } from "../../storage/models/models.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { checkSize, heldAmong } from "../held-components.ts";
import { optionsAfter } from "../model-options.ts";
import { numbered } from "./1-compare-fields.ts";
import { changedFields, storedFields, type ModelWriting, type PlannedChange } from "./3-plan-change.ts";

/**
 * Writes a planned change. Null if something that the plan depends on changed meanwhile.
 * @param inBackground the change that ends with this
 * @throws ApiError VALIDATION_FAILED if a model that holds the component would hold too much
 */
export async function writeComponentChange(
  { db, space, now, origin }: ModelWriting,
  planned: PlannedChange,
  inBackground: ModelChangeRow | null,
): Promise<ModelRow | null> {
  const { row, change, held, holders, fingerprint } = planned;
  const added = numbered(change.added, row.lastField + 1);
  const fields = storedFields(planned, added);
  const rows = await readComponents(db, space.id);
  const after = rows.map((one) => (one.id === row.id ? { ...one, fields } : one));
  const errors = new ValidationErrors();
  const changed = holders.map((holder) => {
    const model = modelOf(holder);
    const copy = heldAmong(model.fields, after);
    checkSize(copy, errors);
    const isSearched = model.typeModel !== "components" && model.fields.some(isSearchable);
    return { row: holder, components: copy.stored, isSearched };
  });
  errors.throwIfAny("A model that holds this component would hold too much; see details.");
  const isWritten = await updateComponent(db, {
    ...{ model: row, fields, held, fingerprint, now, inBackground },
    lastField: row.lastField + added.length,
    options: optionsAfter(row, planned.options, fields),
    holders: changed,
    origin,
    facts: { version: row.version + 1, ...changedFields(change) },
  });
  return isWritten ? readModel(db, space.id, row.typeModel, row.name) : null;
}
