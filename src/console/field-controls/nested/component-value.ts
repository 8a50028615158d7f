/** Values of fields that hold components: objects with keys. Pure. */
import type { Field, Model } from "../../api/models.ts";
import { newKey } from "../rich-text/portable-text.ts";
import { startOf } from "./start.ts";

export interface ComponentObject {
  _key?: string;
  /** The name of its component, where there are several. */
  _type?: string;
  [member: string]: unknown;
}

export const isObject = (value: unknown): value is ComponentObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const objectsOf = (value: unknown): ComponentObject[] =>
  Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];

export const componentNamed = (models: readonly Model[], name: string | undefined): Model | undefined =>
  models.find((model) => model.typeModel === "components" && model.name === name);

/** Returns the component of an object: it says so itself, or its field does. */
export const componentOf = (
  models: readonly Model[],
  field: Field,
  { _type }: ComponentObject,
): Model | undefined => componentNamed(models, field.component ?? _type);

/** Returns a new object of a component. @param isOfSeveral whether it has to say its component */
export const newObject = (model: Model, isOfSeveral: boolean): ComponentObject => ({
  ...(isOfSeveral && { _type: model.name }),
  _key: newKey(),
  ...startOf(model),
});

/** Copies an object. Keys are unique in a list, so those inside it stay as they are. */
export const copyOf = (object: ComponentObject): ComponentObject => ({
  ...structuredClone(object),
  _key: newKey(),
});
