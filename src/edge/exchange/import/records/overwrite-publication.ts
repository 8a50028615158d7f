/** The published locales and the plans of records and of lines, and the steps that bring one to the other (RULES 18.4). */
import { editionsIn } from "../../../../content/model/editions.ts";
import { codeOfNumber, defaultCode, localesIn, numberOfCode } from "../../../../content/locales/locales.ts";
import { DEFAULT_NUMBER } from "../../../../content/locales/numbers.ts";
import type { Model } from "../../../../content/model/model.ts";
import { setPlans, type Plans } from "../../../records/write/plans.ts";
import { takeStep, type Step } from "../../../records/write/publish.ts";
import { isPublishedByLocale } from "../../../records/write/complete-locales.ts";
import type { RecordRow } from "../../../storage/spaces/entries.ts";
import type { ImportContext } from "../context.ts";
import type { PublishedIn, RecordIn } from "../line-schemas.ts";
import { writingOf, type Entry } from "./overwrite-content.ts";

/** The codes of the locales that are published, and the plans of each. */
export interface Published {
  codes: Set<string>;
  plans: Map<string, Plans>;
}

/** The columns of a row, or the members of a line, that say what is published. */
type Publication = Pick<RecordRow, "publishedVersion" | "publishAt" | "unpublishAt">;

/** Returns the state of a record. In a space without locales, the code is empty. */
function stateOf(model: Model, own: Publication, others: [string, Publication][]): Published {
  const first = model.scope ? defaultCode(model.scope.locales) : "";
  const all: [string, Publication][] = [[first, own], ...others.filter(([code]) => code !== first)];
  return {
    codes: new Set(all.flatMap(([code, { publishedVersion }]) => (publishedVersion ? [code] : []))),
    plans: new Map(
      all.map(([code, { publishAt, unpublishAt }]) => [code, { publish: publishAt, unpublish: unpublishAt }]),
    ),
  };
}

export function stateOfRow({ model, record }: Entry): Published {
  const { scope } = model;
  const editions = scope && isPublishedByLocale(model) ? Object.entries(editionsIn(record.locales)) : [];
  const others = editions.flatMap(([no, { p, pub, unpub }]): [string, Publication][] => {
    const code = scope && Number(no) !== DEFAULT_NUMBER ? codeOfNumber(scope.locales, Number(no)) : null;
    const publication = { publishedVersion: p ?? null, publishAt: pub ?? null, unpublishAt: unpub ?? null };
    return code ? [[code, publication]] : [];
  });
  return stateOf(model, record, others);
}

const orNull = (publication: Partial<{ [Name in keyof Publication]: number | undefined }>): Publication => ({
  publishedVersion: publication.publishedVersion ?? null,
  publishAt: publication.publishAt ?? null,
  unpublishAt: publication.unpublishAt ?? null,
});

export function stateOfLine(model: Model, line: RecordIn | PublishedIn): Published {
  const editions = isPublishedByLocale(model) ? Object.entries(line.editions ?? {}) : [];
  return stateOf(
    model,
    orNull(line),
    editions.map(([code, edition]) => [code, orNull(edition)]),
  );
}

/** Returns the codes that are locales of the space, or of a space without locales. */
export const known = (context: ImportContext, codes: Iterable<string>): string[] => {
  const locales = localesIn(context.space.locales);
  return [...codes].filter((code) => code === "" || numberOfCode(locales, code) !== undefined);
};

/** Publishes or unpublishes locales now. @param versions the versions at which it may be done; null for any */
export async function step(
  context: ImportContext,
  entry: Entry,
  name: Step,
  codes: readonly string[],
  versions: ReadonlySet<number> | null = null,
): Promise<void> {
  const locales = isPublishedByLocale(entry.model) ? codes : undefined;
  const options = { step: name, at: undefined, versions, locales };
  await takeStep(writingOf(context, entry.record.id), entry, options);
}

/** Sets the plans of a record, and cancels those that it is not to have. @returns whether it had other plans */
export async function bringPlans(context: ImportContext, entry: Entry, to: Published): Promise<boolean> {
  const held = stateOfRow(entry).plans;
  const now = context.now();
  // A plan whose time has passed was carried out where the line comes from.
  const planOf = (code: string, name: Step): number | null => {
    const at = to.plans.get(code)?.[name] ?? null;
    return at !== null && at <= now ? (held.get(code)?.[name] ?? null) : at;
  };
  const plans = known(context, new Set([...held.keys(), ...to.plans.keys()])).map((code): [string, Plans] => [
    code,
    { publish: planOf(code, "publish"), unpublish: planOf(code, "unpublish") },
  ]);
  return setPlans(writingOf(context, entry.record.id), entry, () => new Map(plans));
}
