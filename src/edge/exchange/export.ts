/**
 * The story of an export (RULES 18.1): lines one after the other, each with the place from which to go on after it. A
 * page takes as many as it has room for.
 */
import { localesIn } from "../../content/locales/locales.ts";
import { modelOf } from "../../content/model/model.ts";
import { allModels } from "../storage/exchange/read.ts";
import { mediaLines, trashedMediaLines } from "./lines/media.ts";
import { START, STEPS, type ExportSource, type Lines, type Place } from "./lines/place.ts";
import { recordLines, trashedRecordLines } from "./lines/records.ts";
import { inOrder, modelLines, spaceLines, webhookLines } from "./lines/space.ts";
import { exchangeScope, withLocales } from "./locales.ts";

/** Returns the lines from a place on. */
export async function* linesFrom(source: ExportSource, from: Place): Lines {
  const { db, space } = source;
  const rows = inOrder(await allModels(db, space.id));
  const scope = exchangeScope(localesIn(space.locales));
  const models = new Map(rows.map((row) => [row.id, withLocales(modelOf(row), scope)]));
  for (const step of STEPS.slice(STEPS.indexOf(from.step))) {
    const place = step === from.step ? from : { ...START, step };
    switch (step) {
      case "space":
        yield* spaceLines(source);
        break;
      case "models":
        yield* modelLines(rows, place);
        break;
      case "media":
        yield* mediaLines(source, place);
        break;
      case "records":
        yield* recordLines(source, rows, models, place);
        break;
      case "trashedMedia":
        yield* trashedMediaLines(source, place);
        break;
      case "trashedRecords":
        yield* trashedRecordLines(source, models, place);
        break;
      case "webhooks":
        yield* webhookLines(source, place);
        break;
      case "end":
        break;
      default:
        step satisfies never;
    }
  }
}
