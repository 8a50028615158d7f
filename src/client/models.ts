/** The form in which `silverprint types` describes a space's models, and the types that populate and selectFields give. */
import type { components } from "./schema.ts";

export type Media = components["schemas"]["Media"];

/** One model: the values of a read, the values of a write, and the targets of its relation and media fields. */
export interface ModelTypes {
  values: object;
  input: object;
  references: object;
}

/** A relation or media field. `to` is the target collection, or null for media. */
export interface Reference {
  to: string | null;
  many: boolean;
}

/** The models of a space whose types were not generated: everything is allowed, values are unknown. */
export interface AnyModel {
  values: Record<string, unknown>;
  input: Record<string, unknown>;
  references: Record<string, Reference>;
}
export interface AnySpace {
  collections: Record<string, AnyModel>;
  pages: Record<string, AnyModel>;
}

export interface SpaceTypes {
  collections: object;
  pages: object;
}

export interface System {
  id: string;
  createdAt: string;
  updatedAt: string;
  version: number;
}

/** The fields about publication of a record of a model with drafts. */
export interface Publication {
  status: "draft" | "published" | "changed";
  publishedAt: string | null;
  firstPublishedAt: string | null;
  publishAt: string | null;
  unpublishAt: string | null;
}

/** The fields about locales of a record in a space with locales. `statuses` is there with drafts. */
export interface Localization {
  /** The locale of localized fields, or `all`. */
  locale: string;
  statuses?: Record<string, Publication["status"]>;
  /** With `fallback`: the locales of borrowed values, by field. */
  fallbacks?: Record<string, string>;
}

/** The names of a model's localized fields, as `silverprint types` writes them. */
export type LocalizedNames<M> = M extends { localized: infer N } ? N : never;

/** A record that was read with `locale: "all"`: its localized fields are objects by code. */
export type InAllLocales<Model, Record, Code extends string = string> = {
  [Name in keyof Record]: Name extends LocalizedNames<Model> ? { [C in Code]: Record[Name] } : Record[Name];
} & Localization;

type PublicationOf<M> = M extends { drafts: true } ? Publication : unknown;

type Values<M> = M extends { values: infer V } ? V : never;
type References<M> = M extends { references: infer R } ? R : never;
export type Input<M> = M extends { input: infer I } ? I : never;

type Head<Path extends string> = Path extends `${infer H}.${string}` ? H : Path;
type Below<Path extends string, Name> = Path extends `${Name & string}.${infer Rest}` ? Rest : never;

type Target<Space extends SpaceTypes, To, Path extends string> = To extends keyof Space["collections"]
  ? RecordOf<Space, Space["collections"][To], Path>
  : Media;

type Expanded<Space extends SpaceTypes, R, Path extends string> = R extends { to: infer To; many: infer Many }
  ? Many extends true
    ? Target<Space, To, Path>[]
    : Target<Space, To, Path> | null
  : never;

/** The paths that lead to a member of an object inside a nested value, whose own path is `Place`. */
type PlacesOf<Value, Key, Place extends string> = Value extends { _type: "block" }
  ? Place
  : Value extends { _type: "image" }
    ? Key extends "media"
      ? `${Place}.image`
      : never
    : Value extends { _type: "internalLink" }
      ? Key extends "record"
        ? `${Place}.internalLink`
        : never
      : | `${Place}.${Key & string}`
        | (Value extends { _type: infer Type extends string } ? `${Place}.${Type}.${Key & string}` : never);

/** The references among some places of a value that a path of `populate` names. */
type Reached<Model, Places, Path extends string> = Places extends keyof References<Model> & string
  ? [Extract<Path, Places | `${Places}.${string}`>] extends [never]
    ? never
    : Places
  : never;

type Member<Space extends SpaceTypes, Model, Value, Places extends string, Path extends string> = [
  Reached<Model, Places, Path>,
] extends [never]
  ? Inside<Space, Model, Value, Places, Path>
  : Expanded<
      Space,
      References<Model>[Reached<Model, Places, Path>],
      Below<Path, Reached<Model, Places, Path>>
    >;

/** A value of components or rich text with the references that `Path` names expanded. */
type Inside<
  Space extends SpaceTypes,
  Model,
  Value,
  Place extends string,
  Path extends string,
> = Value extends readonly (infer Item)[]
  ? Inside<Space, Model, Item, Place, Path>[]
  : Value extends { _key: string }
    ? { [Key in keyof Value]: Member<Space, Model, Value[Key], PlacesOf<Value, Key, Place>, Path> }
    : Value;

/** A record with the fields that `Path` names expanded. */
export type RecordOf<Space extends SpaceTypes, Model, Path extends string = never> = {
  [Name in keyof Values<Model>]: Name extends Head<Path> & keyof References<Model>
    ? Expanded<Space, References<Model>[Name], Below<Path, Name>>
    : Name extends Head<Path>
      ? Inside<Space, Model, Values<Model>[Name], Name & string, Path>
      : Values<Model>[Name];
} & System &
  PublicationOf<Model>;

export type Name<Model> =
  | ((keyof Values<Model> | keyof System) & string)
  | (Model extends { drafts: true } ? keyof Publication : never);

/** A record with all its fields, or with `id` and the selected ones. */
export type Selected<Record, Names extends string> = [Names] extends [never]
  ? Record
  : Pick<Record, Extract<keyof Record, Names | "id">>;

type ReferenceNames<Model> = keyof References<Model> & string;
type CollectionOf<
  Space extends SpaceTypes,
  Model,
  Name extends ReferenceNames<Model>,
> = References<Model>[Name] extends { to: infer To extends keyof Space["collections"] }
  ? Space["collections"][To]
  : never;

/** The paths that populate accepts, one to three levels deep. */
export type Path<Space extends SpaceTypes, Model, Depth extends 0[] = []> = Depth["length"] extends 3
  ? never
  : {
      [Name in ReferenceNames<Model>]:
        Name | `${Name}.${Path<Space, CollectionOf<Space, Model, Name>, [...Depth, 0]>}`;
    }[ReferenceNames<Model>];
