/**
 * The models of a space as they would be after some steps of a document, so that each further step is checked as it
 * would be made. Models that are stored keep their ids, by which their records are read. New ones get negative ids, under
 * which there are none.
 */
import type { StoredField } from "../../../content/field-types/fields.ts";
import { fieldsOf } from "../../../content/model/model.ts";
import type { TypeModel } from "../../../content/model/type-models.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import type { ComponentRow } from "../../storage/models/components.ts";
import { numbered } from "../change/1-compare-fields.ts";
import { storedFields, type PlannedChange } from "../change/3-plan-change.ts";
import { heldAmong } from "../held-components.ts";
import { NO_OPTIONS, optionsAfter, type AskedOptions } from "../model-options.ts";
import type { CheckedFields } from "../models.ts";
import type { Surroundings } from "../surroundings.ts";

export class VirtualSpace {
  #rows: ModelRow[];
  #lastId = 0;

  constructor(rows: readonly ModelRow[]) {
    this.#rows = [...rows];
  }

  get rows(): readonly ModelRow[] {
    return this.#rows;
  }

  find({ typeModel, name }: { typeModel: TypeModel; name: string }): ModelRow | undefined {
    return this.#rows.find((row) => row.typeModel === typeModel && row.name === name);
  }

  get surroundings(): Surroundings {
    return {
      missingCollections: (names) =>
        Promise.resolve(new Set(names.filter((name) => !this.#isCollection(name)))),
      components: () => Promise.resolve(this.#components()),
      holdersOf: (component) =>
        Promise.resolve(this.#rows.filter((row) => row.id > 0 && holds(row, component))),
    };
  }

  /** Makes a model, or gives one that was made here its further fields. */
  make(
    spaceId: string,
    model: { typeModel: TypeModel; name: string; options: AskedOptions },
    checked: CheckedFields,
  ): void {
    const { typeModel, name } = model;
    const fields = numbered(checked.fields, 1);
    const row: ModelRow = {
      id: --this.#lastId,
      ...{ spaceId, typeModel, name, version: 1, createdAt: 0, updatedAt: 0 },
      ...optionsAfter(NO_OPTIONS, model.options, fields),
      fields: JSON.stringify(fields),
      components: checked.held.stored,
      lastField: fields.length,
    };
    this.#replace(row, this.find(model));
  }

  /** Changes a stored model as it was planned. */
  change(planned: PlannedChange): void {
    const { row, change, held, options } = planned;
    const added = numbered(change.added, row.lastField + 1);
    const fields = storedFields(planned, added);
    const after: ModelRow = {
      ...row,
      ...optionsAfter(row, options, fields),
      fields: JSON.stringify(fields),
      components: held.stored,
      lastField: row.lastField + added.length,
      version: row.version + 1,
    };
    this.#replace(after, row);
  }

  #isCollection(name: string): boolean {
    return this.find({ typeModel: "collections", name }) !== undefined;
  }

  #components(): ComponentRow[] {
    return this.#rows
      .filter(({ typeModel }) => typeModel === "components")
      .map(({ id, name, version, fields }) => ({
        id,
        name,
        version,
        fields: JSON.parse(fields) as StoredField[],
      }));
  }

  /** Replaces a row, and the copies of a component in the models that hold it. */
  #replace(row: ModelRow, before: ModelRow | undefined): void {
    this.#rows = before ? this.#rows.map((one) => (one === before ? row : one)) : [...this.#rows, row];
    if (row.typeModel !== "components" || !before) return;
    const components = this.#components();
    this.#rows = this.#rows.map((one) =>
      holds(one, row.name) ? { ...one, components: heldAmong(fieldsOf(one), components).stored } : one,
    );
  }
}

/** Returns whether a model holds a component, directly or inside another one. */
const holds = ({ components }: Pick<ModelRow, "components">, name: string): boolean =>
  Object.hasOwn(JSON.parse(components) as object, name);
