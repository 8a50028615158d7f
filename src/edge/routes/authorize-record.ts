/** Authorises requests for records (RULES 1.4). One D1 query finds credential, space, model and record together. */
import { missingReferences } from "../storage/records.ts";
import { modelOf, type Model } from "../content-model/model.ts";
import type { Content } from "../content-model/publication.ts";
import { isTypeModel } from "../content-model/type-models.ts";
import type { RelatedModels } from "../content/filters.ts";
import { idsOf } from "../content/record-ids.ts";
import { StepBudget } from "../content/step-budget.ts";
import type { WriteContext } from "../content/write.ts";
import { notFound } from "../../errors.ts";
import { checkFlood } from "../gateway/flood.ts";
import type { AppContext } from "../http/context.ts";
import { claimOnce } from "../http/idempotency.ts";
import { checkRole, unauthenticated, type Caller, type Space } from "../spaces/authorize.ts";
import type { Requirement } from "../spaces/roles.ts";
import type { CallerRole, Reader } from "../storage/keys.ts";
import {
  readEntry,
  type Entry,
  type EntryAddress,
  type ModelRow,
  type RecordRow,
} from "../storage/entries.ts";

export interface Entered {
  space: Space;
  role: CallerRole;
  row: ModelRow;
  model: Model;
  context: WriteContext;
}

const param = (c: AppContext, name: string): string => c.req.param(name) ?? "";

export const writeContextOf = (
  c: AppContext,
  { space, key }: Pick<Caller, "space" | "key">,
): WriteContext => ({
  db: c.get("db"),
  spaceId: space.id,
  author: key,
  patterns: new StepBudget(),
  now: Date.now,
  newId: idsOf(c.get("idSeed")),
  missing: (references) => missingReferences(c.get("db"), space.id, references),
});

async function read(
  c: AppContext,
  credential: Reader,
  required: Requirement,
  wanted: Pick<EntryAddress, "id" | "relations" | "content"> = {},
): Promise<Entry> {
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
  const entry = await readEntry(c.get("db"), credential, address);
  if (!entry) throw unauthenticated();
  c.set("isKeyKnown", credential.kind !== "anybody");
  if (!entry.space) throw notFound("The space");
  checkRole(entry.role, required);
  if (credential.kind === "anybody") c.set("publicSpaceId", entry.space.id);
  if (entry.model?.public === true) c.set("changesCopies", true);
  return entry;
}

async function modelIn(c: AppContext, credential: Reader, entry: Entry): Promise<Entered> {
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
 * Finds the model of the path, and claims the Idempotency-Key of the request.
 * @throws ApiError UNAUTHENTICATED, NOT_FOUND, FORBIDDEN, checked in this order; what `claimOnce` throws
 */
export async function enterModel(c: AppContext, credential: Reader, required: Requirement): Promise<Entered> {
  return modelIn(c, credential, await read(c, credential, required));
}

/** Like `enterModel`, and also finds the target collections of the relation fields with these names. */
export async function enterList(
  c: AppContext,
  credential: Reader,
  required: Requirement,
  relations: readonly string[],
): Promise<Entered & { related: RelatedModels }> {
  const entry = await read(c, credential, required, { relations });
  const seen = entry.related.filter((row) => credential.kind !== "anybody" || row.public === 1);
  const related = new Map(seen.map((row) => [row.name, modelOf(row)]));
  return { ...(await modelIn(c, credential, entry)), related };
}

/** Like `enterModel`, and also finds the record of the path, with the requested content (by default the draft). */
export async function enterRecord(
  c: AppContext,
  credential: Reader,
  required: Requirement,
  content: EntryAddress["content"] = "draft",
): Promise<Entered & { record: RecordRow }> {
  const entry = await read(c, credential, required, { id: param(c, "id"), content });
  const entered = await modelIn(c, credential, entry);
  if (!entry.record) throw notFound("The record");
  return { ...entered, record: entry.record };
}
