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
import type { AnyMeaning, Json } from "../../../content/field-types/field-type.ts";
import { collectionOf, isReference, type StoredField } from "../../../content/field-types/fields.ts";
import { shownValue } from "../../../content/field-types/nested/show.ts";
import { meaningOf } from "../../../content/field-types/registry.ts";
import { modelOf, valuesOf, type Model, type Values } from "../../../content/model/model.ts";
import { valuesShown, type LocaleScope } from "../../../content/model/localized-model.ts";
import type { Content } from "../../../content/model/publication.ts";
import { modelInScope } from "./locale-scope.ts";
import { isSeenPublished } from "./locale-state.ts";
import { viewOfValues, type RecordView, type StoredRecord } from "./record-object.ts";
import { checkPopulate, idsIn, pointsOf, treeAt, type Point } from "./populate-points.ts";
import { tooDeep, type PopulateTree, type Selection } from "./selection.ts";

export interface PopulateTools {
  space: Space;
  bases: MediaBases;
  /** The content of targets, which are shown in the locale of the records that name them. */
  content: Content;
  scope: LocaleScope | null;
  /** Whether the caller may see media: else their ids stay, as those of a collection that it may not read do. */
  seesMedia: boolean;
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
  /** The values that the answer shows of it: in `all`, a set for each locale. */
  shown: Values[];
}

/** All targets found so far. The key of a record is its collection and its id, which are told apart by a slash. */
class FoundTargets {
  readonly #seesMedia: boolean;
  readonly models = new Map<string, Model>();
  readonly records = new Map<string, Node | "too large">();
  readonly media = new Map<string, { view: unknown; bytes: number }>();
  bytes = 0;
  /** The number of references that were followed. One that was followed twice counts twice. */
  references = 0;

  constructor({ seesMedia }: PopulateTools) {
    this.#seesMedia = seesMedia;
  }

  /** Returns whether the caller may see targets of a collection, or media. */
  isSeen(collection: string | null): boolean {
    return collection === null ? this.#seesMedia : this.models.has(collection);
  }

  get targets(): number {
    return this.records.size + this.media.size;
  }

  add(targets: Targets, tools: PopulateTools): void {
    for (const row of targets.models) {
      const model = { ...modelOf(row), showsActors: tools.bases.showsActors };
      this.models.set(row.name, modelInScope(model, tools.scope));
    }
    for (const record of targets.records) {
      const model = this.models.get(record.collection);
      if (!model || (tools.content === "published" && !isSeenPublished(model, record))) continue;
      const key = keyOf(record.collection, record.id);
      if (record.data === null) {
        this.records.set(key, "too large");
        continue;
      }
      this.bytes += record.sizeBytes;
      const values = valuesOf(model, record.data);
      this.records.set(key, { model, record, values, shown: valuesShown(model, values) });
    }
    for (const { media, master } of targets.media) {
      const view = mediaObject(tools.space, media, master, tools.bases);
      this.media.set(media.id, { view, bytes: bytesOf(view) });
    }
  }
}

const keyOf = (collection: string, id: string): string => `${collection}/${id}`;

/** Nodes of one level in which the same fields are to be expanded. */
interface Group {
  model: Model;
  tree: PopulateTree;
  nodes: Node[];
}

const expandedPoints = (groups: Group[]): { group: Group; point: Point }[] =>
  groups.flatMap((group) => pointsOf(group.model, group.tree).map((point) => ({ group, point })));

function keysOf(groups: Group[], found: FoundTargets): TargetKeys {
  const collections = new Set<string>();
  const records = new Map<string, [string, string]>();
  const media = new Set<string>();
  // Node by node, so that the targets that come first in the answer are read first.
  const points = expandedPoints(groups);
  for (const { point } of points) if (point.to !== null) collections.add(point.to);
  const longest = Math.max(0, ...groups.map(({ nodes }) => nodes.length));
  for (let index = 0; index < longest; index++) {
    for (const { group, point } of points) {
      const node = group.nodes[index];
      const ids = node ? node.shown.flatMap(point.idsOf) : [];
      found.references += ids.length;
      checkReferences(found.references);
      for (const id of ids) {
        const { to } = point;
        if (to === null) media.add(id);
        else if (!found.records.has(keyOf(to, id))) records.set(keyOf(to, id), [to, id]);
      }
    }
  }
  return {
    collections: [...collections].filter((name) => !found.models.has(name)),
    records: [...records.values()],
    media: found.isSeen(null) ? [...media].filter((id) => !found.media.has(id)) : [],
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
  return expandedPoints(groups).flatMap(({ group, point: { to, below, idsOf } }) => {
    const model = to === null ? undefined : found.models.get(to);
    if (to === null || !model || below.size === 0) return [];
    const ids = new Set(group.nodes.flatMap((node) => node.shown.flatMap(idsOf)));
    const nodes = [...ids].map((id) => found.records.get(keyOf(to, id)));
    return [
      { model, tree: below, nodes: nodes.filter((node) => node !== undefined && node !== "too large") },
    ];
  });
}

interface Target {
  view: unknown;
  bytes: number;
}

const NOTHING: PopulateTree = new Map();

/** Composes views bottom-up. A target with the same fields expanded below it is composed once and shared. */
class Composer {
  readonly #found: FoundTargets;
  readonly #made = new Map<PopulateTree, Map<Node, Expanded>>();

  constructor(found: FoundTargets) {
    this.#found = found;
  }

  expand(node: Node, tree: PopulateTree, selection: Selection): Expanded {
    const targets: Target[] = [];
    const view = viewOfValues(node.model, node.record, node.values, selection, (field, value) => {
      const below = tree.get(field.name);
      return below ? this.#field(field, value, below, targets) : shownValue(field, value);
    });
    // The ids are counted, too, although the targets replace them: the sum is some bytes too large, never too small.
    const own = bytesOf(viewOfValues(node.model, node.record, node.values, selection));
    return { view, bytes: targets.reduce((sum, { bytes }) => sum + bytes, own) };
  }

  #field(field: StoredField, value: Json, below: PopulateTree, targets: Target[]): unknown {
    return isReference(field)
      ? this.#ids(collectionOf(field), value, below, targets)
      : this.#inside(meaningOf(field), field as never, value, below, targets);
  }

  /** Expands a value of ids. The ids of a collection, or of media, that the caller may not read stay. */
  #ids(to: string | null, value: Json, below: PopulateTree, targets: Target[]): unknown {
    if (!this.#found.isSeen(to)) return value;
    const present = idsIn(value)
      .map((id) => this.#target(to, id, below))
      .filter((target) => target !== null);
    targets.push(...present);
    return Array.isArray(value) ? present.map((target) => target.view) : (present[0]?.view ?? null);
  }

  #inside(
    { nested }: Pick<AnyMeaning, "nested">,
    field: never,
    value: Json,
    tree: PopulateTree,
    targets: Target[],
  ): unknown {
    if (!nested || value === null) return value;
    return nested.show(value, field, {
      value: (component, member, own) => {
        const below = treeAt(tree, nested, component, member) ?? NOTHING;
        if (!member.target) return this.#inside(member.meaning, member.field, own, below, targets);
        return below === NOTHING ? own : this.#ids(member.target.collection, own, below, targets);
      },
      reference: ({ name, collection, id }) => {
        const below = tree.get(name);
        return below ? this.#ids(collection, id, below, targets) : id;
      },
    });
  }

  #target(to: string | null, id: string, below: PopulateTree): Target | null {
    if (to === null) return this.#found.media.get(id) ?? null;
    const node = this.#found.records.get(keyOf(to, id));
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
  const roots: Node[] = records.map((record) => {
    const values = valuesOf(model, record.data);
    return { model, record, values, shown: valuesShown(model, values) };
  });
  const found = new FoundTargets(tools);
  let groups: Group[] = [{ model, tree: wantedOf(tree, selection), nodes: roots }];
  for (let level = 1; groups.some((group) => group.tree.size > 0); level++) {
    if (level > CONTENT.populateMaxLevels) throw tooDeep();
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
