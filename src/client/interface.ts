/** The types of the client. They are written out, because inferred types do not survive in a package's declarations. */
import type { Client } from "openapi-fetch";
import type { Input, Media, Name, Path, Publication, RecordOf, Selected, SpaceTypes } from "./models.ts";
import type { components, paths } from "./schema.ts";

export interface ClientOptions {
  /** `https://content.example.com` */
  baseUrl: string;
  space: string;
  /** The API key. Without one, only public models can be read. */
  key?: string;
  fetch?: (request: Request) => Promise<Response>;
}

export interface View<N extends string, P extends string> {
  selectFields?: readonly N[];
  populate?: readonly P[];
  /** `draft` requires a key that may see drafts. */
  status?: "published" | "draft";
  /** The locale of localized fields, in a space with locales. Without it, the default. */
  locale?: string;
  /** Whether empty values are borrowed from the locale's fallbacks. */
  fallback?: boolean;
}

/** The locale of the values that are written. */
export interface InLocale {
  locale?: string;
}

/** The locales that a publication is for. Without them, all that it concerns. */
export interface OfLocales {
  locales?: readonly string[];
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
type FilterValue = string | number | bigint | boolean | Date | readonly (string | number)[];

type Operators = { [O in Operator]?: FilterValue };
/** Conditions on fields, and on fields of a relation's target: `"author.name"`. */
type Conditions<Names extends string> = { [Field in Names | `${Names}.${string}`]?: Operators };
/** Conditions that must all hold, and groups of conditions of which at least one must hold. */
export type Filter<Names extends string> = string extends Names
  ? { [field: string]: Operators | readonly Conditions<string>[] }
  : Conditions<Names> & { or?: readonly Conditions<Names>[] };

export interface ListOptions<Names extends string, N extends string, P extends string> extends View<N, P> {
  limit?: number;
  cursor?: string;
  sort?: readonly (Names | `-${Names}`)[];
  filter?: Filter<Names>;
  /** Words to search for in searchable fields. Results come best first and cannot be sorted. */
  search?: string;
  /** Whether to add `meta.total`. */
  count?: boolean;
}

export interface Page<Item> {
  data: Item[];
  /** `total` is present with `count`, and exact unless `totalIsExact` is false. */
  meta: { nextCursor: string | null; limit: number; total?: number; totalIsExact?: false };
}

export type Deleted = components["schemas"]["Deleted"];

/** The `version` of a record that was read. The write succeeds only if the record still has that version. */
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
export interface Planned extends IfMatch, Keyed, InLocale, OfLocales {
  at?: Date | string | null;
}

export interface Restored extends IfMatch, Keyed, InLocale, OfLocales {
  /** Leaves out references to records and media that are gone. Without it, they are an error that names them. */
  dropMissing?: boolean;
}

export type RecordEvent = components["schemas"]["RecordEvent"];

/** The event that made a version, and the record in that version. */
export type RecordVersion<Space extends SpaceTypes, Model> = RecordEvent & {
  record: Omit<RecordOf<Space, Model>, keyof Publication>;
};

/** Operations on one record by id. */
export interface Entries<Space extends SpaceTypes, Model> {
  get<const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
    id: string,
    view?: View<N, P>,
  ): Promise<Answered<Space, Model, N, P>>;
  /** Changes the fields that `values` names. */
  update(
    id: string,
    values: Partial<Input<Model>>,
    options?: IfMatch & InLocale,
  ): Promise<RecordOf<Space, Model>>;
  /** Moves the record to the trash. */
  delete(id: string, options?: IfMatch): Promise<Deleted>;
  /** Publishes a record of a model with drafts. Returns the draft. */
  publish(id: string, options?: Planned): Promise<RecordOf<Space, Model>>;
  unpublish(id: string, options?: Planned): Promise<RecordOf<Space, Model>>;
  /** Lists the events of the record, latest first. */
  versions(id: string, page?: { limit?: number; cursor?: string }): Promise<Page<RecordEvent>>;
  version(id: string, version: number): Promise<RecordVersion<Space, Model>>;
  /** Makes a version the content again. */
  restore(id: string, version: number, options?: Restored): Promise<RecordOf<Space, Model>>;
}

/** An operation of a bulk. `ifMatch` has the meaning of `IfMatch`. */
export type Operation<Model> =
  | { op: "create"; data: Input<Model>; ifMatch?: never }
  | ({ op: "update"; id: string; data: Partial<Input<Model>> } & IfMatch)
  | ({ op: "delete"; id: string } & IfMatch)
  | ({ op: "publish" | "unpublish"; id: string } & IfMatch & OfLocales);

/** The result of an operation. For a deleted record, `version` is its last version. */
export interface Done {
  op: "create" | "update" | "delete" | "publish" | "unpublish";
  id: string;
  version: number;
}

export interface Collection<Space extends SpaceTypes, Model> extends Entries<Space, Model> {
  list<const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
    options?: ListOptions<Name<Model>, N, P>,
  ): Promise<Page<Answered<Space, Model, N, P>>>;
  /** Iterates over all records of the list, and reads page after page. */
  all<const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
    options?: ListOptions<Name<Model>, N, P>,
  ): AsyncGenerator<Answered<Space, Model, N, P>>;
  create(values: Input<Model>, options?: Keyed & InLocale): Promise<RecordOf<Space, Model>>;
  /** Up to 100 operations, all or none, each on another record. */
  bulk(operations: readonly Operation<Model>[], options?: Keyed & InLocale): Promise<Done[]>;
}

export interface SinglePage<Space extends SpaceTypes, Model> {
  get<const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
    view?: View<N, P>,
  ): Promise<Answered<Space, Model, N, P>>;
  update(values: Partial<Input<Model>>, options?: IfMatch & InLocale): Promise<RecordOf<Space, Model>>;
  /** Resets the page to its defaults. Its content goes to the trash. */
  reset(options?: IfMatch): Promise<Deleted>;
  publish(options?: Planned): Promise<RecordOf<Space, Model>>;
  unpublish(options?: Planned): Promise<RecordOf<Space, Model>>;
  versions(page?: { limit?: number; cursor?: string }): Promise<Page<RecordEvent>>;
  version(version: number): Promise<RecordVersion<Space, Model>>;
  restore(version: number, options?: Restored): Promise<RecordOf<Space, Model>>;
}

export interface UploadOptions {
  filename: string;
  alt?: string;
  focalPoint?: { x: number; y: number };
  /** The item whose file is replaced. */
  mediaId?: string;
  /** The id of an interrupted upload of the same file. Parts that have arrived are not sent again. */
  uploadId?: string;
  /** Called after each part. With its `uploadId`, the upload can be resumed within 24 hours. */
  onProgress?: (progress: { uploadId: string; sentBytes: number; totalBytes: number }) => void;
  signal?: AbortSignal;
}

export interface SpaceClient<Space extends SpaceTypes> {
  /** All routes, with the types of the API document: `api.GET("/api/v1/{spaceName}/media", {params: {...}})`. */
  api: Client<paths>;
  collection<N extends keyof Space["collections"] & string>(
    name: N,
  ): Collection<Space, Space["collections"][N]>;
  /** Sends a file in parts, and repeats a part when the network fails. Returns the media object. */
  upload(file: Blob, options: UploadOptions): Promise<Media>;
  page<N extends keyof Space["pages"] & string>(name: N): SinglePage<Space, Space["pages"][N]>;
}
