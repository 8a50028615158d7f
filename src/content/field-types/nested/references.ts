/** Finds the records and media that a stored value refers to, at any depth. Pure. */
import type { AnyMeaning, Component, FoundReference, Json, Member, NestedObject } from "../field-type.ts";
import { collectionOf, isReference } from "../fields.ts";
import { meaningOf, type Field } from "../registry.ts";
import { componentsIn, isEmptyIn, joined, valueIn } from "./objects.ts";

export interface StoredReference extends FoundReference {
  /**
   * The way to it inside the value, for index rows: `7.2,9.1` are the second field of component 7 and in it the first of
   * component 9. Empty for a field of ids, and for a reference of the value's own.
   */
  by: string;
}

const idsOf = (value: Json): string[] =>
  value === null ? [] : Array.isArray(value) ? (value as string[]) : [value as string];

const stepOf = ({ id }: Component, { no }: Member): string => `${id}.${no}`;

function referencesInMember({ component, object, path }: NestedObject, member: Member): StoredReference[] {
  const value = valueIn(object, member);
  const found: StoredReference[] = member.target
    ? idsOf(value).map((id) => ({ path: "", collection: member.target?.collection ?? null, id, by: "" }))
    : referencesInside(member.meaning, member.field, value);
  const step = stepOf(component, member);
  return found.map((one) => ({
    ...one,
    path: joined(path, member.name, one.path),
    by: one.by === "" ? step : `${step},${one.by}`,
  }));
}

function referencesInside(
  { nested }: Pick<AnyMeaning, "nested">,
  field: never,
  value: Json,
): StoredReference[] {
  if (!nested) return [];
  return [
    ...nested
      .referencesIn(value, field)
      .map(({ path, collection, id }) => ({ path, collection, id, by: "" })),
    ...nested
      .objectsIn(value, field)
      .flatMap((object) => object.component.members.flatMap((member) => referencesInMember(object, member))),
  ];
}

/** Returns the references in a stored value of a field. */
export const referencesOf = (field: Field, value: Json): StoredReference[] =>
  isReference(field)
    ? idsOf(value).map((id) => ({ path: "", collection: collectionOf(field), id, by: "" }))
    : referencesInside(meaningOf(field), field as never, value);

/** Returns all objects of components in a stored value, those inside of others too, each with its place. */
export function objectsDeepIn(field: Field, value: Json): NestedObject[] {
  const inside = ({ nested }: Pick<AnyMeaning, "nested">, of: never, held: Json): NestedObject[] =>
    (nested?.objectsIn(held, of) ?? []).flatMap((one) => [
      one,
      ...one.component.members.flatMap((member) =>
        inside(member.meaning, member.field, valueIn(one.object, member)).map((below) => ({
          ...below,
          path: joined(one.path, member.name, below.path),
        })),
      ),
    ]);
  return inside(meaningOf(field), field as never, value);
}

/** Returns whether values of a field may hold components with required fields, at any depth. */
export function demandsInside(field: Field): boolean {
  const seen = new Set<number>();
  const inside = ({ nested }: Pick<AnyMeaning, "nested">, of: never): boolean =>
    (nested?.componentsOf(of) ?? []).some((name) => {
      const component = componentsIn(of).get(name);
      if (!component || seen.has(component.id)) return false;
      seen.add(component.id);
      return component.members.some((member) => member.isRequired || inside(member.meaning, member.field));
    });
  return inside(meaningOf(field), field as never);
}

/** Returns the paths of required values that a stored value lacks inside its components. */
export function lackingIn(field: Field, value: Json): string[] {
  const inside = ({ nested }: Pick<AnyMeaning, "nested">, of: never, held: Json): string[] =>
    (nested?.objectsIn(held, of) ?? []).flatMap(({ component, object, path }) =>
      component.members.flatMap((member) => {
        const own = valueIn(object, member);
        const isLacking = member.isRequired && isEmptyIn(member, own);
        const below = isLacking ? [""] : inside(member.meaning, member.field, own);
        return below.map((place) => joined(path, member.name, place));
      }),
    );
  return inside(meaningOf(field), field as never, value);
}
