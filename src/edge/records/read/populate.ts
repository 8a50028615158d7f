/**
 * Populate: relations and media expanded, level by level, one D1 query a level for any number of records. Targets
 * are shared by reference and their bytes are counted as the answer will write them, so that a small request cannot
 * blow up into a large answer: at most 2,000 targets, at most 8 MB.
 */
import { ApiError } from "../../../errors.ts";
import { CONTENT } from "../../../limits.ts";
import { mediaObject, type MediaBases } from "../../media/media-object.ts";
import type { Space } from "../../spaces/authorize.ts";
import type { TargetKeys, TargetRecord, Targets } from "../../storage/references/populated-targets.ts";
import type { Json } from "../../../content/field-types/field-type.ts";
import {
  isList,
  isReference,
  type ReferenceField,
  type StoredField,
} from "../../../content/field-types/fields.ts";
import { isIndexedAs } from "../../../content/field-types/registry.ts";
import { modelOf, valuesOf, type Model, type Values } from "../../../content/model/model.ts";
import { viewOfValues, type RecordView, type StoredRecord } from "./record-object.ts";
import { checkPopulate, type PopulateTree, type Selection } from "./selection.ts";

export interface PopulateTools {
  space: Space;
  bases: MediaBases;
  readTargets(keys: TargetKeys, bytesMax: number): Promise<Targets>;
}

export interface Expanded {
  view: RecordView;
  /** The bytes of the view as JSON. Infinite if a target was left out because of the bytes of those before it. */
  bytes: number;
}

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).byteLength;

interface Node {
  model: Model;
  record: TargetRecord | StoredRecord;
  values: Values;
}

/** All targets found so far. The key of a record is its collection and its id, which are told apart by a slash. */
class FoundTargets {
  readonly models = new Map<string, Model>();
  readonly records = new Map<string, Node | "too large">();
  readonly media = new Map<string, { view: unknown; bytes: number }>();
  bytes = 0;
  /** The number of references that were followed. One that was followed twice counts twice. */
  references = 0;

  get targets(): number {
    return this.records.size + this.media.size;
  }

  add(targets: Targets, tools: PopulateTools): void {
    for (const row of targets.models) this.models.set(row.name, modelOf(row));
    for (const record of targets.records) {
      const model = this.models.get(record.collection);
      if (!model) continue;
      const key = keyOf(record.collection, record.id);
      if (record.data === null) {
        this.records.set(key, "too large");
        continue;
      }
      this.bytes += record.sizeBytes;
      this.records.set(key, { model, record, values: valuesOf(model, record.data) });
    }
    for (const { media, master } of targets.media) {
      const view = mediaObject(tools.space, media, master, tools.bases);
      this.media.set(media.id, { view, bytes: bytesOf(view) });
    }
  }
}

const keyOf = (collection: string, id: string): string => `${collection}/${id}`;
const idsOf = (value: Json | undefined): string[] =>
  value === null || value === undefined ? [] : ([value].flat() as string[]);

/** Nodes of one level in which the same fields are to be expanded. */
interface Group {
  model: Model;
  tree: PopulateTree;
  nodes: Node[];
}

function* expandedFields(
  groups: Group[],
): Generator<{ group: Group; field: StoredField & ReferenceField; below: PopulateTree }> {
  for (const group of groups) {
    for (const [name, below] of group.tree) {
      const field = group.model.byName.get(name);
      if (field && isReference(field)) yield { group, field, below };
    }
  }
}

function keysOf(groups: Group[], found: FoundTargets): TargetKeys {
  const collections = new Set<string>();
  const records = new Map<string, [string, string]>();
  const media = new Set<string>();
  // Node by node, so that the targets that come first in the answer are read first.
  const fields = [...expandedFields(groups)];
  for (const { field } of fields) if (isIndexedAs(field, "record")) collections.add(field.to);
  const longest = Math.max(0, ...groups.map(({ nodes }) => nodes.length));
  for (let index = 0; index < longest; index++) {
    for (const { group, field } of fields) {
      const ids = idsOf(group.nodes[index]?.values.get(field.no));
      found.references += ids.length;
      checkReferences(found.references);
      for (const id of ids) {
        if (isIndexedAs(field, "media")) media.add(id);
        else if (!found.records.has(keyOf(field.to, id))) records.set(keyOf(field.to, id), [field.to, id]);
      }
    }
  }
  return {
    collections: [...collections].filter((name) => !found.models.has(name)),
    records: [...records.values()],
    media: [...media].filter((id) => !found.media.has(id)),
  };
}

const checkTargets = (count: number): void => checkCount(count, CONTENT.populateMaxTargets, "targets");

/** Limits references, too: every record of every level can refer to the same few targets, under every path. */
const checkReferences = (count: number): void =>
  checkCount(count, CONTENT.populateMaxReferences, "references");

function checkCount(count: number, max: number, what: string): void {
  if (count <= max) return;
  const message = `would expand over ${max} ${what}; ask for fewer records or fields`;
  throw new ApiError("INVALID_PARAMETER", `Parameter "populate" ${message}.`, {
    details: [{ path: "populate", message }],
  });
}

function nextGroups(groups: Group[], found: FoundTargets): Group[] {
  return [...expandedFields(groups)].flatMap(({ group, field, below }) => {
    if (isIndexedAs(field, "media")) return [];
    const model = found.models.get(field.to);
    if (!model || below.size === 0) return [];
    const ids = new Set(group.nodes.flatMap((node) => idsOf(node.values.get(field.no))));
    const nodes = [...ids].map((id) => found.records.get(keyOf(field.to, id)));
    return [
      { model, tree: below, nodes: nodes.filter((node) => node !== undefined && node !== "too large") },
    ];
  });
}

/** Composes views bottom-up. A target with the same fields expanded below it is composed once and shared. */
class Composer {
  readonly #found: FoundTargets;
  readonly #made = new Map<PopulateTree, Map<Node, Expanded>>();

  constructor(found: FoundTargets) {
    this.#found = found;
  }

  expand(node: Node, tree: PopulateTree, selection: Selection): Expanded {
    let extra = 0;
    const view = viewOfValues(node.model, node.record, node.values, selection, (name, value) => {
      const below = tree.get(name);
      const field = node.model.byName.get(name);
      if (!below || !field || !isReference(field)) return value;
      // The ids of a collection that the caller may not read stay.
      if (isIndexedAs(field, "record") && !this.#found.models.has(field.to)) return value;
      const targets = idsOf(value).map((id) => this.#target(field, id, below));
      const present = targets.filter((target) => target !== null);
      extra += present.reduce((sum, { bytes }) => sum + bytes, 0);
      return isList(field) ? present.map((target) => target.view) : (present[0]?.view ?? null);
    });
    // The ids are counted, too, although the targets replace them: the sum is some bytes too large, never too small.
    const own = bytesOf(viewOfValues(node.model, node.record, node.values, selection));
    return { view, bytes: own + extra };
  }

  #target(field: ReferenceField, id: string, below: PopulateTree): { view: unknown; bytes: number } | null {
    if (isIndexedAs(field, "media")) return this.#found.media.get(id) ?? null;
    const node = this.#found.records.get(keyOf(field.to, id));
    if (node === "too large") return { view: null, bytes: Infinity };
    if (!node) return null;
    let made = this.#made.get(below);
    if (!made) this.#made.set(below, (made = new Map<Node, Expanded>()));
    let expanded = made.get(node);
    if (!expanded) made.set(node, (expanded = this.expand(node, below, null)));
    return expanded;
  }
}

/** @throws ApiError INVALID_PARAMETER for paths that are no relation or media field, or over the limit of targets */
export async function populate(
  model: Model,
  records: StoredRecord[],
  tree: PopulateTree,
  selection: Selection,
  tools: PopulateTools,
): Promise<Expanded[]> {
  checkPopulate(model, tree);
  const roots: Node[] = records.map((record) => ({ model, record, values: valuesOf(model, record.data) }));
  const found = new FoundTargets();
  let groups: Group[] = [{ model, tree: wantedOf(tree, selection), nodes: roots }];
  while (groups.some((group) => group.tree.size > 0)) {
    const keys = keysOf(groups, found);
    checkTargets(found.targets + keys.records.length + keys.media.length);
    if (keys.records.length + keys.media.length + keys.collections.length > 0) {
      found.add(await tools.readTargets(keys, CONTENT.pageMaxBytes - found.bytes), tools);
    }
    groups = nextGroups(groups, found);
    for (const group of groups) checkPopulate(group.model, group.tree);
  }
  const composer = new Composer(found);
  return roots.map((node) => composer.expand(node, tree, selection));
}

/** Returns the paths of selected fields. The answer lacks the others, so their targets are not read. */
const wantedOf = (tree: PopulateTree, selection: Selection): PopulateTree =>
  selection === null ? tree : new Map([...tree].filter(([name]) => selection.has(name)));

/** @throws ApiError INVALID_PARAMETER when one record's answer would be too large */
export function checkBytes({ bytes }: Expanded): void {
  if (bytes <= CONTENT.pageMaxBytes) return;
  const message = `would make an answer over ${CONTENT.pageMaxBytes} bytes; expand less`;
  throw new ApiError("INVALID_PARAMETER", `Parameter "populate" ${message}.`, {
    details: [{ path: "populate", message }],
  });
}
