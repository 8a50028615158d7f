/**
 * Finds an order in which the models of a document can be made and changed: the collections that relations lead to, and
 * the components that fields hold, come first. Of new models that need each other in a circle, one is made without the
 * fields that need another, and gets them later. Pure.
 */
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import { componentNamesOf } from "../../../content/model/components.ts";
import type { TypeModel } from "../../../content/model/type-models.ts";
import { checkHolding } from "../held-components.ts";
import { targetsOf } from "../models.ts";
import { keyOf } from "./document.ts";

/** The parts of a model on which the order depends. */
export interface Shape {
  typeModel: TypeModel;
  name: string;
  fields: readonly Field[];
}

/** A step of the way to a document. `isWhole` is false for the first of two steps of a new model. */
export interface OrderedStep<One extends Shape> {
  model: One;
  fields: readonly Field[];
  isWhole: boolean;
}

type Known = Map<string, Shape>;

const componentsAmong = (known: Known): Map<string, readonly Field[]> =>
  new Map(
    [...known.values()].flatMap((one) => (one.typeModel === "components" ? [[one.name, one.fields]] : [])),
  );

/** Returns whether everything that a field refers to is there. */
const isReady = (field: Field, { typeModel, name }: Shape, known: Known): boolean =>
  targetsOf(field, 0, typeModel === "collections" ? name : null).every(({ to }) =>
    known.has(`collections/${to}`),
  ) && componentNamesOf(field).every((component) => known.has(`components/${component}`));

/** Returns whether a model could be written now, with these fields. */
function fits(model: Shape, fields: readonly Field[], known: Known): boolean {
  if (!fields.every((field) => isReady(field, model, known))) return false;
  if (!fields.some((field) => componentNamesOf(field).length > 0)) return true;
  const errors = new ValidationErrors();
  checkHolding({ ...model, fields }, componentsAmong(known), errors);
  return errors.details.length === 0;
}

/** Returns whether a model that is there ceases to hold a component. What it holds is then no obstacle to others. */
function letsGo({ fields, ...model }: Shape, known: Known): boolean {
  const after = new Set(fields.flatMap(componentNamesOf));
  const before = known.get(keyOf(model))?.fields ?? [];
  return before.flatMap(componentNamesOf).some((name) => !after.has(name));
}

/**
 * Returns the steps in an order that works. If there is none, the remaining models come last, as they are asked for, so
 * that their faults are found.
 * @param before the models that are there
 * @param asked the models that are to be made or changed, as they are to be
 */
export function orderOf<One extends Shape>(
  before: readonly Shape[],
  asked: readonly One[],
): OrderedStep<One>[] {
  const known: Known = new Map(before.map((one) => [keyOf(one), one]));
  const steps: OrderedStep<One>[] = [];
  let open = [...asked.filter((one) => letsGo(one, known)), ...asked.filter((one) => !letsGo(one, known))];
  const take = (model: One, fields: readonly Field[], isWhole: boolean): void => {
    steps.push({ model, fields, isWhole });
    known.set(keyOf(model), { ...model, fields });
    if (isWhole) open = open.filter((one) => one !== model);
  };
  const partOf = (one: One): Field[] => one.fields.filter((field) => isReady(field, one, known));
  while (open.length > 0) {
    const next = open.find((one) => fits(one, one.fields, known));
    if (next) {
      take(next, next.fields, true);
      continue;
    }
    const part = open.find((one) => !known.has(keyOf(one)) && fits(one, partOf(one), known));
    if (!part) break;
    take(part, partOf(part), false);
  }
  return [...steps, ...open.map((model) => ({ model, fields: model.fields, isWhole: true }))];
}
