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
import { isMultiple, type Field, type Json } from "../../../content/field-types/fields.ts";
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
  /** As JSON. Infinite when a target was left out for the bytes of those before it. */
  bytes: number;
}

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).byteLength;

interface Node {
  model: Model;
  record: TargetRecord | StoredRecord;
  values: Values;
}

/** All targets found so far. A record's key is its collection and id, which no name can forge. */
class Found {
  readonly models = new Map<string, Model>();
  readonly records = new Map<string, Node | "too large">();
  readonly media = new Map<string, { view: unknown; bytes: number }>();
  bytes = 0;
  /** References that were followed, each time that one was. */
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

/** Nodes of one level that share what is to be expanded in them. */
interface Group {
  model: Model;
  tree: PopulateTree;
  nodes: Node[];
}

function* expandedFields(
  groups: Group[],
): Generator<{ group: Group; field: Field & { no: number }; below: PopulateTree }> {
  for (const group of groups) {
    for (const [name, below] of group.tree) {
      const field = group.model.byName.get(name);
      if (field) yield { group, field, below };
    }
  }
}

function keysOf(groups: Group[], found: Found): TargetKeys {
  const collections = new Set<string>();
  const records = new Map<string, [string, string]>();
  const media = new Set<string>();
  // Node by node, so that what comes first in the answer is read first.
  const fields = [...expandedFields(groups)];
  for (const { field } of fields) if (field.type === "relation") collections.add(field.to);
  const longest = Math.max(0, ...groups.map(({ nodes }) => nodes.length));
  for (let index = 0; index < longest; index++) {
    for (const { group, field } of fields) {
      const ids = idsOf(group.nodes[index]?.values.get(field.no));
      found.references += ids.length;
      checkReferences(found.references);
      for (const id of ids) {
        if (field.type !== "relation") media.add(id);
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

/** Few targets can be named many times: by every record of every level, under every path. */
const checkReferences = (count: number): void =>
  checkCount(count, CONTENT.populateMaxReferences, "references");

function checkCount(count: number, max: number, what: string): void {
  if (count <= max) return;
  const message = `would expand over ${max} ${what}; ask for fewer records or fields`;
  throw new ApiError("INVALID_PARAMETER", `Parameter "populate" ${message}.`, {
    details: [{ path: "populate", message }],
  });
}

function nextGroups(groups: Group[], found: Found): Group[] {
  return [...expandedFields(groups)].flatMap(({ group, field, below }) => {
    const model = field.type === "relation" ? found.models.get(field.to) : undefined;
    if (field.type !== "relation" || !model || below.size === 0) return [];
    const ids = new Set(group.nodes.flatMap((node) => idsOf(node.values.get(field.no))));
    const nodes = [...ids].map((id) => found.records.get(keyOf(field.to, id)));
    return [
      { model, tree: below, nodes: nodes.filter((node) => node !== undefined && node !== "too large") },
    ];
  });
}

/** Composes views bottom-up; a target with the same things expanded below it is made once and shared. */
class Composer {
  readonly #found: Found;
  readonly #made = new Map<PopulateTree, Map<Node, Expanded>>();

  constructor(found: Found) {
    this.#found = found;
  }

  expand(node: Node, tree: PopulateTree, selection: Selection): Expanded {
    let extra = 0;
    const view = viewOfValues(node.model, node.record, node.values, selection, (name, value) => {
      const below = tree.get(name);
      const field = node.model.byName.get(name);
      if (!below || !field) return value;
      // A collection that the reader may not see: its ids stay.
      if (field.type === "relation" && !this.#found.models.has(field.to)) return value;
      const targets = idsOf(value).map((id) => this.#target(field, id, below));
      const present = targets.filter((target) => target !== null);
      extra += present.reduce((sum, { bytes }) => sum + bytes, 0);
      return isMultiple(field) ? present.map((target) => target.view) : (present[0]?.view ?? null);
    });
    // Ids stand in for what they are expanded into: over by some bytes, never under.
    const own = bytesOf(viewOfValues(node.model, node.record, node.values, selection));
    return { view, bytes: own + extra };
  }

  #target(field: Field, id: string, below: PopulateTree): { view: unknown; bytes: number } | null {
    if (field.type !== "relation") return this.#found.media.get(id) ?? null;
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
  const found = new Found();
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

/** What is not selected is not answered, so it is not read either. */
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
