/**
 * Authorises requests for records (RULES 1.4). One D1 query finds credential, space, model and record together. The
 * parameters are validated once the caller is known, and before it is told that a model or a record is not there.
 */
import { ALL, localeCode } from "../../../content/locales/codes.ts";
import type { LocaleScope } from "../../../content/model/localized-model.ts";
import { modelOf, type Model } from "../../../content/model/model.ts";
import type { Content } from "../../../content/model/publication.ts";
import { hasRecords, isTypeModel } from "../../../content/model/type-models.ts";
import type { RelatedModels } from "../../lists/filters.ts";
import {
  askedScope,
  modelInScope,
  scopeOfAny,
  withSides,
  type LocaleQuery,
} from "../../records/read/locale-scope.ts";
import { isSeenPublished } from "../../records/read/locale-state.ts";
import { idsOf } from "../../records/write/record-ids.ts";
import { budgetOf } from "../../spaces/pattern-turns.ts";
import type { WriteContext } from "../../records/write/write.ts";
import { notFound } from "../../../errors.ts";
import { checkFlood } from "../../gateway/flood.ts";
import type { AppContext } from "../../http/context.ts";
import { passGate } from "../../http/refusals.ts";
import { originOf } from "../../http/origin.ts";
import { findInSpace, roleElsewhere } from "../../http/space-database.ts";
import { claimOnce } from "../../http/requests/idempotency.ts";
import { callerOf, unauthenticated, type Caller, type Space } from "../../spaces/authorize.ts";
import type { AtGate } from "../../spaces/gate.ts";
import { seesActors, type Requirement } from "../../spaces/roles.ts";
import type { CallerRole, Reader } from "../../storage/spaces/keys.ts";
import { isDefinitionInside } from "../../storage/models/models.ts";
import type { Scopes } from "../../storage/spaces/scopes.ts";
import {
  readEntry,
  type Entry,
  type EntryAddress,
  type ModelRow,
  type RecordRow,
} from "../../storage/spaces/entries.ts";

export interface Entered {
  space: Space;
  /** The locale in which the model is; null in a space without locales. */
  scope: LocaleScope | null;
  role: CallerRole;
  scopes: Scopes;
  row: ModelRow;
  model: Model;
  context: WriteContext;
}

/** A request whose caller and parameters are not checked yet. */
export interface Asking<Query> {
  c: AppContext;
  credential: Reader;
  /** The gate of the route. */
  gate: AtGate;
  /** Validates the parameters. @throws ApiError INVALID_PARAMETER */
  query: () => Query;
}

const param = (c: AppContext, name: string): string => c.req.param(name) ?? "";

export const writeContextOf = (
  c: AppContext,
  caller: Pick<Caller, "space" | "actor" | "scopes">,
): WriteContext => ({
  db: c.get("db"),
  spaceId: caller.space.id,
  origin: originOf(c, caller),
  scopes: caller.scopes,
  patterns: budgetOf(caller.space.id),
  now: Date.now,
  newId: idsOf(c.get("idSeed")),
});

async function read<Query>(
  { c, credential, gate, query }: Asking<Query>,
  required: Requirement,
  wanted: Pick<EntryAddress, "id" | "relations" | "content" | "locale"> = {},
): Promise<{ entry: Entry; asked: Query; scope: LocaleScope | null }> {
  const address = {
    spaceName: param(c, "spaceName"),
    typeModel: param(c, "typeModel"),
    model: param(c, "model"),
    ...wanted,
  };
  if (credential.kind === "anybody") {
    if (required !== "read") throw unauthenticated();
    await checkFlood(c.env, "redirect", c.req.raw.headers);
  }
  const entry = await findInSpace(
    c,
    address.spaceName,
    (db) => readEntry(db, credential, address),
    (found) => found !== null && found.space !== null,
  );
  if (!entry) {
    const isKnown = credential.kind === "key" && (await roleElsewhere(c, credential)) !== null;
    throw isKnown ? notFound("The space") : unauthenticated();
  }
  c.set("isKeyKnown", credential.kind !== "anybody");
  if (!entry.space) throw notFound("The space");
  const { kind, space } = entry;
  c.set("spaceId", space.id);
  if (kind !== "anybody") {
    const { actor } = callerOf(entry, credential);
    await passGate(c, { ...entry, kind, actor, space }, { ...gate, required });
  }
  if (credential.kind === "anybody") c.set("publicSpaceId", entry.space.id);
  if (entry.model?.public === true) c.set("changesCopies", true);
  const asked = query();
  const scope = gate.takesLocale
    ? askedScope(entry.space, asked as LocaleQuery, entry.scopes)
    : scopeOfAny(entry.space, entry.scopes);
  return { entry, asked, scope };
}

async function modelIn(
  { c, credential }: Pick<Asking<unknown>, "c" | "credential">,
  entry: Entry,
  scope: LocaleScope | null,
  isKind: (typeModel: string) => boolean = hasRecords,
): Promise<Entered> {
  if (!isKind(param(c, "typeModel"))) throw notFound("This kind of model");
  if (!entry.space || !entry.model) throw notFound("The model");
  const caller = { ...callerOf(entry, credential), space: entry.space };
  if (credential.kind !== "anybody") await claimOnce(c, credential, entry.space.id);
  return {
    space: entry.space,
    role: entry.role,
    scopes: entry.scopes,
    row: entry.model,
    scope,
    model: modelInScope({ ...modelOf(entry.model), showsActors: seesActors(entry.role) }, scope),
    context: writeContextOf(c, caller),
  };
}

/**
 * Returns the content that a read asks for, and the role that it needs. The value of `status` is validated with the
 * query.
 */
export function contentAsked(c: AppContext): { content: Content; required: Requirement } {
  const isDraft = c.req.query("status") === "draft";
  return isDraft ? { content: "draft", required: "preview" } : { content: "published", required: "read" };
}

/**
 * Finds the model of the path, validates the parameters, which are `asked`, and claims the Idempotency-Key.
 * @throws ApiError UNAUTHENTICATED, NOT_FOUND (the space), FORBIDDEN, INVALID_PARAMETER, NOT_FOUND, in this order; what
 * `claimOnce` throws
 */
export async function enterModel<Query>(
  asking: Asking<Query>,
  required: Requirement,
): Promise<Entered & { asked: Query }> {
  const { entry, asked, scope } = await read(asking, required);
  const entered = await modelIn(asking, entry, scope, isTypeModel);
  if (!(await isDefinitionInside(asking.c.get("db"), entered.row, entry.scopes))) throw notFound("The model");
  return { ...entered, asked };
}

/** Does the same as `enterModel`, for a route of records, which components have none of. */
export async function enterRecords<Query>(
  asking: Asking<Query>,
  required: Requirement,
): Promise<Entered & { asked: Query }> {
  const { entry, asked, scope } = await read(asking, required);
  return { ...(await modelIn(asking, entry, scope)), asked };
}

/** Does the same as `enterModel`, and also finds the target collections of the relation fields with these names. */
export async function enterList<Query>(
  asking: Asking<Query>,
  required: Requirement,
  relations: readonly string[],
): Promise<Entered & { asked: Query; related: RelatedModels }> {
  const { entry, asked, scope } = await read(asking, required, { relations });
  const isKnown = asking.credential.kind !== "anybody";
  const seen = entry.related.filter((row) => isKnown || row.public === 1);
  const related = new Map(seen.map((row) => [row.name, modelInScope(modelOf(row), scope)]));
  return { ...(await modelIn(asking, entry, scope)), asked, related };
}

/**
 * Does the same as `enterModel`, and also finds the record of the path, with the requested content (by default the
 * draft).
 */
export async function enterRecord<Query>(
  asking: Asking<Query>,
  required: Requirement,
  content: EntryAddress["content"] = "draft",
): Promise<Entered & { asked: Query; record: RecordRow }> {
  const locale = localeToJoin(asking.c);
  const { entry, asked, scope } = await read(asking, required, {
    id: param(asking.c, "id"),
    content,
    locale,
  });
  const entered = await modelIn(asking, entry, scope);
  const { model, context } = entered;
  if (!entry.record) throw notFound("The record");
  const isPublished = content === "published" || (content === "by role" && entry.role === "read");
  if (isPublished && !isSeenPublished(model, entry.record)) throw notFound("The record");
  const isWhole = scope === null || (scope.code === locale && !scope.isFilled);
  const [record] = isWhole ? [entry.record] : await withSides(context.db, model, [entry.record]);
  if (!record) throw notFound("The record");
  return { ...entered, asked, record };
}

/** Returns the one locale whose values are read in the same query as the record. The space is not known yet. */
function localeToJoin(c: AppContext): string | undefined {
  const asked = c.req.query("locale");
  if (asked === undefined || asked === ALL || c.req.query("fallback") === "true") return undefined;
  return localeCode(asked) ?? undefined;
}
