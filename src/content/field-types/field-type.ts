/** The meaning of a field type. Each type states all of it in a file of its own; registry.ts lists the types. */
import type * as z from "zod";
import type { ErrorDetail } from "../../errors.ts";
import type { StepBudget } from "../patterns/step-budget.ts";

/** Any JSON value that is stored for a field. Null means that there is no value; a list is never null. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * The result of a check: the value in the form in which it is stored, or its faults. The path of a fault is the place
 * inside the value, such as `2.cta.href`, and empty for the value itself.
 */
export type Checked = { ok: true; value: Json } | { ok: false; faults: readonly ErrorDetail[] };

export const good = (value: Json): Checked => ({ ok: true, value });
export const bad = (message: string): Checked => ({ ok: false, faults: [{ path: "", message }] });

/** A reference in a value. Its target must exist. */
export interface FoundReference {
  /** The place inside the value; empty for the value itself, and for an item of a list of ids. */
  path: string;
  /** The collection of the target; null for media. */
  collection: string | null;
  id: string;
}

/** The circumstances of a check, and the references that it finds, in values with faults too. */
export interface Checking {
  /** The steps that the patterns of a request take together. */
  budget: StepBudget;
  /** Whether the values inside a component that are required must be there. A draft may lack them. */
  isWhole: boolean;
  references: FoundReference[];
}

/** A fault of a field's options beyond their schema. */
export interface DefinitionFault {
  /** The option at fault. */
  option: string;
  message: string;
  /** Whether no value can be checked against the field, so that its default is not checked either. */
  isFatal: boolean;
}

/** The JSON Schema of one value. A type without `type` takes any JSON value. */
export type ValueSchema =
  | { type: "string"; enum?: readonly string[]; format?: "date-time"; maxLength?: number; pattern?: string }
  | { type: "number" | "integer"; minimum?: number; maximum?: number }
  | { type: "boolean" }
  | { type: "object"; properties: { _key: { type: "string" } }; required: ["_key"] }
  | { type?: never };

/**
 * The way in which values are indexed, and so how filters compare them. Storage chooses its SQL by this kind.
 *
 * `text` is for texts that may be long: an index row has the first characters, and filters that need more read the
 * record. The values of the other kinds stand in their index rows whole, so only short values may have them: `choice`
 * one of the field's `values`, `record` and `media` an id, or a list of ids with one row each. A value of kind
 * `presence` is only known to be there or not; one of kind `nested` too, with a row for each target that it names
 * inside.
 */
export type IndexKind =
  "text" | "choice" | "number" | "boolean" | "datetime" | "record" | "media" | "presence" | "nested";

/**
 * The kinds that a field's options allow: a choice needs the option `values`, a reference to records the option `to`.
 */
type IndexKindOf<F> =
  | Exclude<IndexKind, "choice" | "record">
  | (F extends { values: readonly string[] } ? "choice" : never)
  | (F extends { to: string } ? "record" : never);

/** A field's options as a body has them, after the schema has removed what it refused. */
export type LooseOptions = Readonly<Record<string, unknown>>;

/** A field of a component in memory, with the meaning of its type. */
export interface Member {
  name: string;
  /** The key of its values in an object of the component. A component never uses a number twice. */
  no: number;
  /** The value of objects that are older than the field. */
  absent: Json;
  isRequired: boolean;
  /** The value of a new object that does not name the field. */
  initial: Json;
  /** The value that means "no value". */
  empty: Json;
  /** Returns a stored value in the form that the field has now: an older object may hold another one. */
  inPresentForm: (value: Json) => Json;
  /** The target of its ids; null for a field of another type. */
  target: Pick<FoundReference, "collection"> | null;
  field: never;
  meaning: AnyMeaning;
}

/** The meaning of any type, for the field that it belongs to. */
export type AnyMeaning = Omit<FieldMeaning<never>, "index"> & { index: IndexKind };

/** A component in memory. */
export interface Component {
  /** The number of its model, which no model gets again. */
  id: number;
  name: string;
  members: readonly Member[];
  byName: ReadonlyMap<string, Member>;
}

export type Components = ReadonlyMap<string, Component>;

/**
 * The key under which a field in memory has the components of its space that it may hold. A copy of a field keeps it,
 * and JSON leaves it out, so that it is never stored or shown.
 */
export const COMPONENTS: unique symbol = Symbol("components");

export interface WithComponents {
  [COMPONENTS]?: Components;
}

/** A stored object of a component: `_type` is the component's number, `_key` its key; its values by field number. */
export type StoredObject = { [key: string]: Json };

/** An object of a component in a stored value. */
export interface NestedObject {
  component: Component;
  object: StoredObject;
  /** The place inside the value; empty for a value that is one object. */
  path: string;
}

/** A reference in a stored value that stands outside of components: a picture or a link of a rich text. */
export interface OwnReference extends FoundReference {
  /** The name by which `populate` knows it. */
  name: string;
}

/** The way in which the parts of a nested value are shown. */
export interface Shower {
  value: (component: Component, member: Member, value: Json) => unknown;
  reference: (reference: Omit<OwnReference, "path">) => unknown;
}

/** The meaning of a type whose values hold objects of components or references among other things. */
export interface NestedMeaning<F> {
  /** Returns the names of the components that a value may hold. */
  componentsOf: (field: F) => readonly string[];
  /** Returns the references that may stand in a value outside of components. */
  ownReferencesOf: (field: F) => readonly Pick<OwnReference, "name" | "collection">[];
  /** Returns the objects of components in a stored value, without those of components that it may not hold now. */
  objectsIn: (value: Json, field: F) => NestedObject[];
  referencesIn: (value: Json, field: F) => OwnReference[];
  /** Returns a stored value as answers show it. */
  show: (value: Json, field: F, shower: Shower) => unknown;
  /** Returns the paths by which `populate` reaches a field of a component in a value. */
  pathsTo: (component: string, member: string) => readonly (readonly string[])[];
}

/** The meaning of the fields `F` of one type. */
export interface FieldMeaning<F, Kind extends IndexKindOf<F> = IndexKindOf<F>> {
  /** The result of `typeof` for one value, or for one item of a list. A value of form `any` is any JSON value. */
  form: "string" | "number" | "boolean" | "object" | "any";
  index: Kind;
  /** Whether values are lists. The empty value of a list is `[]`, any other type's is null. */
  isList: (field: F) => boolean;
  /** Returns the faults of the options that the schema cannot find. @param budget of all patterns of the model */
  faultsOf: (field: F, budget: StepBudget) => DefinitionFault[];
  /** Checks a value that is not null. */
  check: (value: unknown, field: F, checking: Checking) => Checked;
  /**
   * Returns the JSON Schema of one value; of a list, the schema of its items. The type of the client follows from it.
   */
  schemaOf: (field: F) => ValueSchema;
  /**
   * Returns whether every value that fits `before` is sure to fit `after`. If not, the values are checked one by one.
   */
  isLooser: (before: F, after: F) => boolean;
  /** Returns the texts of a stored value that a search looks at, if the field is searchable. */
  textsOf: (value: Json, field: F) => string[];
  /** The parts of the values that are components or refer to something; null for types without such parts. */
  nested: NestedMeaning<F> | null;
  /**
   * Whether a value can title its record: `first` if the first such field titles the records of a model that names
   * none, `named` if the model has to name the field.
   */
  title: "first" | "named" | "never";
  /**
   * Returns a field of this or another type for the further checks of a definition that the schema has refused. It has
   * no option on which these checks would report the same fault again.
   */
  mended: (rest: LooseOptions) => LooseOptions;
}

/** An entry of the registry: the meaning of a type, and the schema of its definition. */
export interface FieldTypeEntry<
  Schema extends z.ZodObject,
  Kind extends IndexKindOf<z.output<Schema>>,
> extends FieldMeaning<z.output<Schema>, Kind> {
  schema: Schema;
}

/** Joins the schema of a definition with the meaning of its fields. */
export const fieldType = <Schema extends z.ZodObject, const Kind extends IndexKindOf<z.output<Schema>>>(
  schema: Schema,
  meaning: FieldMeaning<z.output<Schema>, Kind>,
): FieldTypeEntry<Schema, Kind> => ({ schema, ...meaning });

/** Answers for types whose values are never lists. */
export const single = (): boolean => false;

/** Answers for types whose options have no faults beyond their schema. */
export const noFaults = (): DefinitionFault[] => [];

/** Answers for types whose values a search does not look at. */
export const noTexts = (): string[] => [];

/** Answers for types of which no further check needs an option that may be missing. */
export const unmended = (rest: LooseOptions): LooseOptions => rest;
