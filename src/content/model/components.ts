/**
 * The components that a model holds: their definitions as they are stored with the model, and in memory. A model has a
 * copy of each definition that it needs, so that a read or write of a record asks for no further row.
 */
import {
  COMPONENTS,
  type Component,
  type Components,
  type FoundReference,
  type Member,
} from "../field-types/field-type.ts";
import {
  collectionOf,
  defaultOf,
  emptyValue,
  inPresentForm,
  isReference,
  type StoredField,
} from "../field-types/fields.ts";
import { meaningOf, type Field } from "../field-types/registry.ts";

export interface StoredComponent {
  /** The number of the component's model. */
  id: number;
  fields: StoredField[];
}

/** The column `models.components`: all components that the model's fields may hold, and those that these may hold. */
export type StoredComponents = Readonly<Record<string, StoredComponent>>;

export const NO_COMPONENTS = "{}";

/** Returns the names of the components that a field may hold. */
export const componentNamesOf = (field: Field): readonly string[] =>
  meaningOf(field).nested?.componentsOf(field) ?? [];

/** Returns the references that may stand in a field outside of components. */
export const ownReferencesOf = (field: Field): readonly Pick<FoundReference, "collection">[] =>
  meaningOf(field).nested?.ownReferencesOf(field) ?? [];

/** Returns a field with the components that it may hold. */
export const withComponents = <F extends Field>(field: F, components: Components): F =>
  componentNamesOf(field).length > 0 ? { ...field, [COMPONENTS]: components } : field;

const memberOf = (stored: StoredField, components: Components): Member => {
  const field = withComponents(stored, components);
  return {
    name: field.name,
    no: field.no,
    absent: field.absent,
    isRequired: field.required === true,
    initial: defaultOf(field),
    empty: emptyValue(field),
    inPresentForm: (value) => inPresentForm(field, value),
    target: isReference(field) ? { collection: collectionOf(field) } : null,
    field: field as never,
    meaning: meaningOf(field),
  };
};

/** Returns a component in memory. @param components those that it may hold */
export function componentOf(
  name: string,
  { id, fields }: StoredComponent,
  components: Components,
): Component {
  const members = fields.map((field) => memberOf(field, components));
  return { id, name, members, byName: new Map(members.map((member) => [member.name, member])) };
}

/** Returns the components of a model in memory. Each finds those that it holds in the same map. */
export function componentsOf(stored: StoredComponents): Components {
  const components = new Map<string, Component>();
  for (const [name, one] of Object.entries(stored)) components.set(name, componentOf(name, one, components));
  return components;
}
