/** Carries out plans of a record's locales when their time has come (RULES 3.33). */
import { ApiError } from "../../../errors.ts";
import { editionsIn } from "../../../content/model/editions.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { type PlannedWrite } from "../../storage/database/planned-write.ts";
import { OF_SYSTEM } from "../../storage/events/actor.ts";
import type { DueRecord, DueStep } from "../../storage/records/schedules.ts";
import { eventOf } from "./plan-write.ts";
import { planLocaleStep, type Step } from "./publish-locales.ts";

type Log = (event: Record<string, unknown>) => void;

/** The step of one schedule for the locales that have planned it for this time. */
interface LocalePlan {
  step: Step;
  locales: number[];
}

/** Returns the locales whose plan is due. Those that are to be unpublished at the same time have a step of their own. */
function localePlanOf({ schedule, at }: DueStep, { record }: DueRecord): LocalePlan {
  if (schedule !== "withLocales") {
    return { step: schedule === "publishAt" ? "publish" : "unpublish", locales: [DEFAULT_NUMBER] };
  }
  const editions = Object.entries(editionsIn(record.locales));
  const due = (name: "pub" | "unpub"): number[] =>
    editions.filter(([, edition]) => edition[name] === at).map(([locale]) => Number(locale));
  const published = due("pub");
  return published.length > 0
    ? { step: "publish", locales: published }
    : { step: "unpublish", locales: due("unpub") };
}

/** Plans a step of a record whose locales are published each by itself. What cannot be done is dropped. */
export function planDueLocales(due: DueStep, found: DueRecord, now: number, log: Log): PlannedWrite<boolean> {
  const { step, locales } = localePlanOf(due, found);
  const context = { origin: OF_SYSTEM, now: () => now };
  const event = (changed: readonly number[]) =>
    eventOf(context, step === "publish" ? "published" : "unpublished", found.model, changed);
  const own = due.schedule === "withLocales" ? null : due.at;
  try {
    return planLocaleStep(found, { step, at: undefined, locales, event, due: own });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const lacking = (error.details ?? []).map(({ path }) => path).join(", ");
    const reason = `required fields have no value: ${lacking}`;
    log({ event: "schedule-dropped", schedule: due.schedule, model: found.model.name, seq: due.seq, reason });
    return planLocaleStep(found, { step, at: null, locales, event, due: null });
  }
}
