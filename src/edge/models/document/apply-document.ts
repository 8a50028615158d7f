/**
 * Takes a space to a document of models, by the steps of its plan (RULES 3.34). Each step is a change of one model, or of
 * the settings, which is made as a whole or not at all. If the work is interrupted, a new plan has the remaining steps.
 */
import { ApiError, notFound } from "../../../errors.ts";
import { CONTENT } from "../../../limits.ts";
import { changeLocales } from "../../spaces/locales.ts";
import { changeSettings } from "../../spaces/spaces.ts";
import type { Space } from "../../spaces/authorize.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import type { WorkingChange } from "../../storage/models/background-changes.ts";
import { readHolders } from "../../storage/models/holders.ts";
import { readModel } from "../../storage/models/models.ts";
import { changeModel } from "../change/change-model.ts";
import { createModel } from "../models.ts";
import { droppedLocales, ModelNames } from "./allowed-losses.ts";
import { keyOf, type DocumentSettings } from "./document.ts";
import { conflictOf, type AskedDocument, type DocumentStep, type DocumentWriting } from "./planner.ts";
import { planDocument, type DocumentPlan, type PlannedEntry } from "./plan-document.ts";
import { localeConflicts } from "./plan-settings.ts";

/** The changes that a request has made. */
export interface AppliedDocument {
  space: Space;
  changes: PlannedEntry[];
  /** The changes that go on in the background. */
  working: WorkingChange[];
  /** Whether the space is as the document says. If not, the document is to be planned and applied once more. */
  isComplete: boolean;
}

/** @throws ApiError PRECONDITION_FAILED, CONFLICT */
function check(plan: DocumentPlan, hash: string): void {
  if (plan.hash !== hash) {
    const message = "The document or the space is another one than when it was planned. Plan it again.";
    throw new ApiError("PRECONDITION_FAILED", message);
  }
  const [first] = plan.conflicts;
  if (!first) return;
  const more = plan.conflicts.length > 1 ? ` And ${plan.conflicts.length - 1} more; see details.` : "";
  throw new ApiError("CONFLICT", `"${first.path}" ${first.message}.${more}`, { details: plan.conflicts });
}

/**
 * Returns the error of a step as one of the document. Values that came into the space since the plan may stand against it.
 * @param name of the model, as the document tells it apart
 */
export function errorOf(error: unknown, name: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const details = error.details?.map((detail) => conflictOf(name, detail));
  const [first] = details ?? [];
  const words = first?.loss ? `"${first.path}" ${first.message}.` : `"${name}": ${error.message}`;
  return new ApiError(error.code, words, { cause: error, ...(details && { details }) });
}

/** Returns the error of a change of locales as one of the document. Values may have come into a locale since the plan. */
function errorOfLocales(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== "CONFLICT") return error;
  const details = localeConflicts(error.message, error.details ?? []);
  const [first] = details;
  const words = first?.loss ? `"${first.path}" ${first.message}.` : `"settings.locales": ${error.message}`;
  return new ApiError(error.code, words, { cause: error, details });
}

/** Makes the steps of a plan one after the other. */
class Application {
  space: Space;
  readonly done = new Set<string>();
  readonly working: WorkingChange[] = [];
  readonly #writing: DocumentWriting;
  readonly #asked: AskedDocument;
  readonly #names: ModelNames;
  /** The versions that the steps start from, so that nothing that another admin does meanwhile is undone. */
  readonly #versions: Map<string, number>;

  constructor(writing: DocumentWriting, asked: AskedDocument, rows: readonly ModelRow[]) {
    this.space = writing.space;
    this.#writing = writing;
    this.#asked = asked;
    this.#names = new ModelNames(asked.document);
    this.#versions = new Map(rows.map((row) => [keyOf(row), row.version]));
  }

  async take(step: DocumentStep): Promise<void> {
    switch (step.kind) {
      case "settings":
        this.space = await this.#changeSettings(this.#asked.document.settings ?? {});
        return;
      case "create":
      case "change":
        await this.#takeModel(step).catch((error: unknown) => {
          throw errorOf(error, this.#names.of(step.model));
        });
        this.done.add(keyOf(step.model));
        return;
      default:
        step satisfies never;
    }
  }

  async #changeSettings({ locales, ...others }: DocumentSettings): Promise<Space> {
    const { db, now, origin } = this.#writing;
    const by = { origin, now };
    const dropLocales = droppedLocales(this.#asked.allowDrop);
    const localized = locales
      ? await changeLocales(db, this.space, { locales, dropLocales }, by).catch((error: unknown) => {
          throw errorOfLocales(error);
        })
      : this.space;
    return Object.values(others).some((value) => value !== undefined)
      ? changeSettings(db, localized, others, by)
      : localized;
  }

  async #takeModel(step: Exclude<DocumentStep, { kind: "settings" }>): Promise<void> {
    const { db, now, origin } = this.#writing;
    const { space } = this;
    const { typeModel, name } = step.model;
    const key = keyOf(step.model);
    if (step.kind === "create") {
      const { fields, options } = step;
      const row = await createModel(db, space, { typeModel, name, fields, options }, { origin, now });
      this.#versions.set(key, row.version);
      return;
    }
    const row = await readModel(db, space.id, typeModel, name);
    if (!row) throw notFound("The model");
    const versions = new Set([this.#versions.get(key) ?? row.version]);
    const changed = await changeModel({ db, space, origin, now, versions }, row, step.asked);
    if ("asked" in changed) {
      this.working.push({ typeModel, model: name });
      return;
    }
    this.#versions.set(key, changed.version);
    if (typeModel !== "components") return;
    // Models that hold the component have a new version by its change.
    for (const holder of await readHolders(db, space.id, name))
      this.#versions.set(keyOf(holder), holder.version);
  }
}

/**
 * Makes the changes of a document, at most as many as one request may make, and up to the first that is made in the
 * background.
 * @param hash of the plan
 * @throws ApiError VALIDATION_FAILED; PRECONDITION_FAILED when the space is not as it was planned; CONFLICT when something
 * stands against the document, and then nothing is changed
 */
export async function applyDocument(
  writing: DocumentWriting,
  asked: AskedDocument,
  hash: string,
): Promise<AppliedDocument> {
  const start = writing.queries.queries;
  const plan = await planDocument(writing, asked);
  check(plan, hash);
  const application = new Application(writing, asked, plan.rows);
  const { done, working } = application;
  let taken = 0;
  for (const step of plan.steps) {
    if (working.length > 0 || taken >= CONTENT.documentStepsPerRequest) break;
    // The first change is always made, so that each request gets on.
    if (taken > 0 && writing.queries.queries - start >= CONTENT.documentQueriesMax) break;
    await application.take(step);
    taken += 1;
  }
  const areSettingsDone = plan.steps.slice(0, taken).some(({ kind }) => kind === "settings");
  const changes = plan.changes.filter((entry) =>
    "settings" in entry
      ? areSettingsDone
      : entry.action !== "none" && done.has(keyOf({ ...entry, name: entry.model })),
  );
  const isComplete = taken === plan.steps.length && working.length === 0;
  return { space: application.space, changes, working, isComplete };
}
