/**
 * The places in records at which `populate` expands references: fields of ids, and references inside of components and
 * rich text. A hop into a component is no level of its own. Pure.
 */
import {
  type AnyMeaning,
  type Component,
  type Json,
  type Member,
} from "../../../content/field-types/field-type.ts";
import { collectionOf, isNested, isReference } from "../../../content/field-types/fields.ts";
import { componentsIn, valueIn } from "../../../content/field-types/nested/objects.ts";
import { meaningOf, type Field } from "../../../content/field-types/registry.ts";
import type { Model, Values } from "../../../content/model/model.ts";
import { invalidParameter, targetOf } from "../../../content/query/list-targets.ts";
import type { PopulateTree } from "./selection.ts";

/**
 * One place: the collection that its references lead to (null for media), and the places that are expanded in their
 * targets.
 */
export interface Point {
  to: string | null;
  below: PopulateTree;
  idsOf: (values: Values) => string[];
}

export const idsIn = (value: Json | undefined): string[] =>
  value === null || value === undefined ? [] : ([value].flat() as string[]);

/** The trees that several paths lead to together, by the tree that they begin in. */
const joinedTrees = new WeakMap<PopulateTree, Map<string, PopulateTree | null>>();

function join(trees: readonly PopulateTree[]): PopulateTree | null {
  const [first, second] = trees;
  if (!first || !second) return first ?? null;
  const names = new Set([...first.keys(), ...second.keys()]);
  const below = (name: string): PopulateTree[] => trees.flatMap((tree) => tree.get(name) ?? []);
  return new Map([...names].map((name) => [name, join(below(name)) ?? new Map<string, PopulateTree>()]));
}

/** Returns what is to be expanded at a field of a component inside a nested value; null if the tree does not reach it. */
export function treeAt(
  tree: PopulateTree,
  nested: NonNullable<AnyMeaning["nested"]>,
  component: Component,
  member: Member,
): PopulateTree | null {
  const known = joinedTrees.get(tree) ?? new Map<string, PopulateTree | null>();
  joinedTrees.set(tree, known);
  const key = `${component.id}.${member.no}`;
  const made = known.get(key);
  if (made !== undefined) return made;
  const found = nested.pathsTo(component.name, member.name).flatMap((path) => {
    const reached = path.reduce<PopulateTree | undefined>((at, name) => at?.get(name), tree);
    return reached ?? [];
  });
  const joined = join(found);
  known.set(key, joined);
  return joined;
}

const componentsHeld = (nested: NonNullable<AnyMeaning["nested"]>, field: never): readonly Component[] =>
  nested.componentsOf(field).flatMap((name) => componentsIn(field).get(name) ?? []);

/** Lists the places inside the nested values that `valuesIn` finds in a record. */
function pointsInside(
  { nested }: Pick<AnyMeaning, "nested">,
  field: never,
  tree: PopulateTree,
  valuesIn: (values: Values) => Json[],
): Point[] {
  if (!nested) return [];
  const own = nested.ownReferencesOf(field).flatMap(({ name, collection }): Point[] => {
    const below = tree.get(name);
    const idsOf = (values: Values): string[] =>
      valuesIn(values)
        .flatMap((value) => nested.referencesIn(value, field))
        .flatMap((reference) => (reference.name === name ? [reference.id] : []));
    return below ? [{ to: collection, below, idsOf }] : [];
  });
  const inComponents = componentsHeld(nested, field).flatMap((component) =>
    component.members.flatMap((member): Point[] => {
      const below = treeAt(tree, nested, component, member);
      if (!below) return [];
      const own = (values: Values): Json[] =>
        valuesIn(values)
          .flatMap((value) => nested.objectsIn(value, field))
          .flatMap(({ component: { id }, object }) => (id === component.id ? [valueIn(object, member)] : []));
      return member.target
        ? [{ to: member.target.collection, below, idsOf: (values) => own(values).flatMap(idsIn) }]
        : pointsInside(member.meaning, member.field, below, own);
    }),
  );
  return [...own, ...inComponents];
}

/** Lists the places of a model's records at which a tree expands references. */
export const pointsOf = (model: Model, tree: PopulateTree): Point[] =>
  [...tree].flatMap(([name, below]): Point[] => {
    const field = model.byName.get(name);
    if (!field) return [];
    if (isReference(field)) {
      return [{ to: collectionOf(field), below, idsOf: (values) => idsIn(values.get(field.no)) }];
    }
    return pointsInside(meaningOf(field), field as never, below, (values) => [values.get(field.no) ?? null]);
  });

const refused = (message: string): Error => invalidParameter("populate", message);
const noReference = (name: string): Error => refused(`names "${name}", which is no relation or media field`);

function checkTarget(name: string, collection: string | null, below: PopulateTree): void {
  if (collection === null && below.size > 0) throw refused(`goes on below "${name}", which is a media field`);
}

/** Checks the rest of a path at the fields of components that have its name. One that it can go on through is enough. */
function checkMembers(name: string, members: readonly Member[], below: PopulateTree): void {
  const fitting = members.filter(({ target, meaning }) => target !== null || meaning.nested !== null);
  if (fitting.length === 0) throw noReference(name);
  const faults = fitting.flatMap((member): unknown[] => {
    try {
      if (member.target) checkTarget(name, member.target.collection, below);
      else checkInside(name, member.meaning, member.field, below);
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (faults.length === fitting.length) throw faults[0];
}

function checkInside(
  path: string,
  { nested }: Pick<AnyMeaning, "nested">,
  field: never,
  tree: PopulateTree,
): void {
  if (!nested) throw noReference(path);
  if (tree.size === 0) throw refused(`names "${path}", which holds components: name a reference inside it`);
  const components = componentsHeld(nested, field);
  for (const [name, below] of tree) {
    const own = nested.ownReferencesOf(field).find((one) => one.name === name);
    const direct = components.flatMap((component) => {
      const member = component.byName.get(name);
      return member && nested.pathsTo(component.name, name).some(({ length }) => length === 1)
        ? [member]
        : [];
    });
    const component = components.find((one) => one.name === name);
    if (own) checkTarget(name, own.collection, below);
    else if (direct.length > 0) checkMembers(name, direct, below);
    else if (!component) throw noReference(name);
    else if (below.size === 0)
      throw refused(`names "${name}", which is a component: name a reference inside it`);
    else {
      for (const [inner, rest] of below) {
        const member = component.byName.get(inner);
        checkMembers(inner, member ? [member] : [], rest);
      }
    }
  }
}

/** @throws ApiError INVALID_PARAMETER for what is no relation or media field, or goes on below media */
export function checkPopulate(model: Model, tree: PopulateTree): void {
  for (const [name, below] of tree) {
    const target = targetOf(model, name, "populate");
    const field: Field | null = target.kind === "system" ? null : target.field;
    if (field && isReference(field)) checkTarget(name, collectionOf(field), below);
    else if (field && isNested(field)) checkInside(name, meaningOf(field), field as never, below);
    else throw noReference(name);
  }
}
