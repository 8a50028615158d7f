/**
 * Authorises requests for records (RULES 1.4). One D1 query finds credential, space, model and record together. The
 * parameters are validated once the caller is known, and before it is told that a model or a record is not there.
 */
import { modelOf, type Model } from "../../../content/model/model.ts";
import type { Content } from "../../../content/model/publication.ts";
import { isTypeModel } from "../../../content/model/type-models.ts";
import type { RelatedModels } from "../../lists/filters.ts";
import { idsOf } from "../../records/write/record-ids.ts";
import { budgetOf } from "../../spaces/pattern-turns.ts";
import type { WriteContext } from "../../records/write/write.ts";
import { notFound } from "../../../errors.ts";
import { checkFlood } from "../../gateway/flood.ts";
import type { AppContext } from "../../http/context.ts";
import { findInSpace, roleElsewhere } from "../../http/space-database.ts";
import { claimOnce } from "../../http/requests/idempotency.ts";
import { checkRole, unauthenticated, type Caller, type Space } from "../../spaces/authorize.ts";
import type { Requirement } from "../../spaces/roles.ts";
import type { CallerRole, Reader } from "../../storage/spaces/keys.ts";
import {
  readEntry,
  type Entry,
  type EntryAddress,
  type ModelRow,
  type RecordRow,
} from "../../storage/spaces/entries.ts";

export interface Entered {
  space: Space;
  role: CallerRole;
  row: ModelRow;
  model: Model;
  context: WriteContext;
}

/** A request whose caller and parameters are not checked yet. */
export interface Asking<Query> {
  c: AppContext;
  credential: Reader;
  /** Validates the parameters. @throws ApiError INVALID_PARAMETER */
  query: () => Query;
}

const param = (c: AppContext, name: string): string => c.req.param(name) ?? "";

export const writeContextOf = (
  c: AppContext,
  { space, key }: Pick<Caller, "space" | "key">,
): WriteContext => ({
  db: c.get("db"),
  spaceId: space.id,
  author: key,
  patterns: budgetOf(space.id),
  now: Date.now,
  newId: idsOf(c.get("idSeed")),
});

async function read<Query>(
  { c, credential, query }: Asking<Query>,
  required: Requirement,
  wanted: Pick<EntryAddress, "id" | "relations" | "content"> = {},
): Promise<{ entry: Entry; asked: Query }> {
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
    const isKnown = credential.kind === "key" && (await roleElsewhere(c, credential.hash)) !== null;
    throw isKnown ? notFound("The space") : unauthenticated();
  }
  c.set("isKeyKnown", credential.kind !== "anybody");
  if (!entry.space) throw notFound("The space");
  checkRole(entry.role, required);
  if (credential.kind === "anybody") c.set("publicSpaceId", entry.space.id);
  if (entry.model?.public === true) c.set("changesCopies", true);
  return { entry, asked: query() };
}

async function modelIn(
  { c, credential }: Pick<Asking<unknown>, "c" | "credential">,
  entry: Entry,
): Promise<Entered> {
  if (!isTypeModel(param(c, "typeModel"))) throw notFound("This kind of model");
  if (!entry.space || !entry.model) throw notFound("The model");
  if (credential.kind !== "anybody") await claimOnce(c, credential);
  return {
    space: entry.space,
    role: entry.role,
    row: entry.model,
    model: modelOf(entry.model),
    context: writeContextOf(c, { space: entry.space, key: entry.key }),
  };
}

/** The content that a read asks for, and the role that it needs. The value of `status` is validated with the query. */
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
  const { entry, asked } = await read(asking, required);
  return { ...(await modelIn(asking, entry)), asked };
}

/** Like `enterModel`, and also finds the target collections of the relation fields with these names. */
export async function enterList<Query>(
  asking: Asking<Query>,
  required: Requirement,
  relations: readonly string[],
): Promise<Entered & { asked: Query; related: RelatedModels }> {
  const { entry, asked } = await read(asking, required, { relations });
  const isKnown = asking.credential.kind !== "anybody";
  const seen = entry.related.filter((row) => isKnown || row.public === 1);
  const related = new Map(seen.map((row) => [row.name, modelOf(row)]));
  return { ...(await modelIn(asking, entry)), asked, related };
}

/** Like `enterModel`, and also finds the record of the path, with the requested content (by default the draft). */
export async function enterRecord<Query>(
  asking: Asking<Query>,
  required: Requirement,
  content: EntryAddress["content"] = "draft",
): Promise<Entered & { asked: Query; record: RecordRow }> {
  const { entry, asked } = await read(asking, required, { id: param(asking.c, "id"), content });
  const entered = await modelIn(asking, entry);
  if (!entry.record) throw notFound("The record");
  return { ...entered, asked, record: entry.record };
}
