/** What the client offers, written out: declarations that follow from inference do not survive into a package. */
import type { Client } from "openapi-fetch";
import type { Input, Media, Name, Path, Publication, RecordOf, Selected, SpaceTypes } from "./models.ts";
import type { components, paths } from "./schema.ts";

export interface ClientOptions {
  /** `https://content.example.com` */
  baseUrl: string;
  space: string;
  /** Without one, public models alone are read. */
  key?: string;
  fetch?: (request: Request) => Promise<Response>;
}

export interface View<N extends string, P extends string> {
  selectFields?: readonly N[];
  populate?: readonly P[];
  /** `draft` takes a key that may see drafts. */
  status?: "published" | "draft";
}

type Operator =
  | "eq"
  | "ne"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "in"
  | "nin"
  | "contains"
  | "icontains"
  | "startsWith"
  | "all"
  | "null";
type FilterValue = string | number | boolean | Date | readonly (string | number)[];

type Operators = { [O in Operator]?: FilterValue };
/** On fields, and through one relation: `"author.name"`. */
type Conditions<Names extends string> = { [Field in Names | `${Names}.${string}`]?: Operators };
/** Conditions, and groups of them of which one is enough. */
export type Filter<Names extends string> = string extends Names
  ? { [field: string]: Operators | readonly Conditions<string>[] }
  : Conditions<Names> & { or?: readonly Conditions<Names>[] };

export interface ListOptions<Names extends string, N extends string, P extends string> extends View<N, P> {
  limit?: number;
  cursor?: string;
  sort?: readonly (Names | `-${Names}`)[];
  filter?: Filter<Names>;
  /** Words of searchable fields: best first, without `sort`. */
  search?: string;
  /** Adds `meta.total`. */
  count?: boolean;
}

export interface Page<Item> {
  data: Item[];
  /** `total` with `count`, exact unless `totalIsExact` is false. */
  meta: { nextCursor: string | null; limit: number; total?: number; totalIsExact?: false };
}

export type Deleted = components["schemas"]["Deleted"];

/** `version` of a record that was read: a write goes through only when it is still that one. */
export interface IfMatch {
  ifMatch?: number;
}

/** Sent again under the same key, a request is done once and answered alike, for 24 hours. */
export interface Keyed {
  idempotencyKey?: string;
}

/** A record as it is answered: with the fields of `selectFields` alone, and with what `populate` expands. */
type Answered<Space extends SpaceTypes, Model, N extends string, P extends string> = Selected<
  RecordOf<Space, Model, P>,
  N
>;

/** When: now, without it. `null` takes back what is planned. */
export interface Planned extends IfMatch, Keyed {
  at?: Date | string | null;
}

export type RecordEvent = components["schemas"]["RecordEvent"];

/** An event that made a version, and the record as it was. */
export type RecordVersion<Space extends SpaceTypes, Model> = RecordEvent & {
  record: Omit<RecordOf<Space, Model>, keyof Publication>;
};

/** One record by id. */
export interface Entries<Space extends SpaceTypes, Model> {
  get<const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
    id: string,
    view?: View<N, P>,
  ): Promise<Answered<Space, Model, N, P>>;
  /** Changes the fields that `values` names. */
  update(id: string, values: Partial<Input<Model>>, options?: IfMatch): Promise<RecordOf<Space, Model>>;
  /** Moves the record to the trash. */
  delete(id: string, options?: IfMatch): Promise<Deleted>;
  /** Of a model with drafts; the draft is answered. */
  publish(id: string, options?: Planned): Promise<RecordOf<Space, Model>>;
  unpublish(id: string, options?: Planned): Promise<RecordOf<Space, Model>>;
  /** What happened to the record, the latest first. */
  versions(id: string, page?: { limit?: number; cursor?: string }): Promise<Page<RecordEvent>>;
  version(id: string, version: number): Promise<RecordVersion<Space, Model>>;
  /** Makes a version the content again. */
  restore(id: string, version: number, options?: IfMatch & Keyed): Promise<RecordOf<Space, Model>>;
}

/** `ifMatch` as in `IfMatch`. */
export type Operation<Model> =
  | { op: "create"; data: Input<Model>; ifMatch?: never }
  | ({ op: "update"; id: string; data: Partial<Input<Model>> } & IfMatch)
  | ({ op: "delete" | "publish" | "unpublish"; id: string } & IfMatch);

/** What an operation did. `version` of a deleted record is the one that it had. */
export interface Done {
  op: "create" | "update" | "delete" | "publish" | "unpublish";
  id: string;
  version: number;
}

export interface Collection<Space extends SpaceTypes, Model> extends Entries<Space, Model> {
  list<const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
    options?: ListOptions<Name<Model>, N, P>,
  ): Promise<Page<Answered<Space, Model, N, P>>>;
  /** Every record of the list, page after page. */
  all<const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
    options?: ListOptions<Name<Model>, N, P>,
  ): AsyncGenerator<Answered<Space, Model, N, P>>;
  create(values: Input<Model>, options?: Keyed): Promise<RecordOf<Space, Model>>;
  /** Up to 100 operations, all or none, each on another record. */
  bulk(operations: readonly Operation<Model>[], options?: Keyed): Promise<Done[]>;
}

export interface SinglePage<Space extends SpaceTypes, Model> {
  get<const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
    view?: View<N, P>,
  ): Promise<Answered<Space, Model, N, P>>;
  update(values: Partial<Input<Model>>, options?: IfMatch): Promise<RecordOf<Space, Model>>;
  /** Back to the defaults; the content goes to the trash. */
  reset(options?: IfMatch): Promise<Deleted>;
  publish(options?: Planned): Promise<RecordOf<Space, Model>>;
  unpublish(options?: Planned): Promise<RecordOf<Space, Model>>;
  versions(page?: { limit?: number; cursor?: string }): Promise<Page<RecordEvent>>;
  version(version: number): Promise<RecordVersion<Space, Model>>;
  restore(version: number, options?: IfMatch & Keyed): Promise<RecordOf<Space, Model>>;
}

export interface UploadOptions {
  filename: string;
  alt?: string;
  focalPoint?: { x: number; y: number };
  /** The item whose file is replaced. */
  mediaId?: string;
  /** An upload of the same file that broke off: parts that are there are not sent again. */
  uploadId?: string;
  /** Called after each part. `uploadId` is what takes the upload up again, within 24 hours. */
  onProgress?: (progress: { uploadId: string; sentBytes: number; totalBytes: number }) => void;
  signal?: AbortSignal;
}

export interface SpaceClient<Space extends SpaceTypes> {
  /** Every route, typed by the API document: `api.GET("/api/v1/{spaceName}/media", {params: {...}})`. */
  api: Client<paths>;
  collection<N extends keyof Space["collections"] & string>(
    name: N,
  ): Collection<Space, Space["collections"][N]>;
  /** Sends a file in parts, each again when the network fails. The media object. */
  upload(file: Blob, options: UploadOptions): Promise<Media>;
  page<N extends keyof Space["pages"] & string>(name: N): SinglePage<Space, Space["pages"][N]>;
}
