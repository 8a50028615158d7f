/** Scopes: the part of a space that a key, a member or a preview token reaches (RULES 1.12). */
import { sql, type SQL } from "drizzle-orm";

export const MEDIA_SCOPES = ["read", "write", "none"] as const;

/** Scopes as they are given and stored. A property that is left out limits nothing. */
export interface GivenScopes {
  models?: readonly string[] | undefined;
  locales?: readonly string[] | undefined;
  media?: (typeof MEDIA_SCOPES)[number] | undefined;
  publish?: boolean | undefined;
}

/** The scopes of a caller. */
export interface Scopes {
  /** The names of the collections and pages inside; null for all. */
  models: readonly string[] | null;
  /** The codes of the locales inside, in their usual form; null for all. */
  locales: readonly string[] | null;
  media: (typeof MEDIA_SCOPES)[number];
  /** Whether the caller may change what readers see. */
  publish: boolean;
}

/** The scopes of a caller that reaches the whole space. */
export const WHOLE_SPACE: Scopes = { models: null, locales: null, media: "write", publish: true };

export const givenScopesIn = (column: string | null): GivenScopes | null =>
  column === null ? null : (JSON.parse(column) as GivenScopes);

/** Returns the scopes that a column holds; null is the whole space. */
export const scopesIn = (column: string | null): Scopes => ({
  ...WHOLE_SPACE,
  ...(JSON.parse(column ?? "{}") as Partial<Scopes>),
});

/** Returns whether a collection or page is inside. Components have no names of their own in scopes. */
export const seesModel = ({ models }: Pick<Scopes, "models">, name: string): boolean =>
  models === null || models.includes(name);

/** Returns whether the targets of a reference are inside: the records of a collection, or media, whose collection is null. */
export const seesTargets = (scopes: Scopes, collection: string | null): boolean =>
  collection === null ? scopes.media !== "none" : seesModel(scopes, collection);

/** Returns the condition that the model `m`, a collection or a page, is inside. */
export const modelsInside = (scopes: Pick<Scopes, "models">): SQL =>
  scopes.models === null
    ? sql`1`
    : sql`m.name IN (SELECT value FROM json_each(${JSON.stringify(scopes.models)}))`;

/** Returns the condition that a row of `models` is inside: a component is, if a model inside holds objects of it. */
export const definitionsInside = (scopes: Pick<Scopes, "models">, spaceId: string): SQL =>
  scopes.models === null
    ? sql`1`
    : sql`CASE WHEN models.type_model <> 'components' THEN models.name IN (SELECT value
        FROM json_each(${JSON.stringify(scopes.models)})) ELSE models.name IN (SELECT c.key FROM models h, json_each(h.components) c WHERE h.space_id = ${spaceId}
          AND h.type_model <> 'components' AND h.name IN (SELECT value FROM json_each(${JSON.stringify(scopes.models)})))
        END`;

/** Returns whether a model that was found is inside; of a component only the database knows. */
export const isModelInside = (
  scopes: Pick<Scopes, "models">,
  { typeModel, name }: { typeModel: string; name: string },
): boolean => typeModel === "components" || seesModel(scopes, name);
