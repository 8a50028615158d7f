/** The presets of an uploaded master, as builds of the lane "idle" (RULES 9.7). */
import { heightAt } from "../../../image/geometry/grid.ts";
import { FORMATS } from "../../../image/formats/registry.ts";
import { extrasOf, type ExtrasSettings } from "../../../image/model/extras.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import {
  masterKey,
  variantFile,
  variantKey,
  type Quality,
  type VariantSpec,
} from "../../../image/model/variant.ts";
import { negotiatedFormats } from "../../../image/model/variant-formats.ts";
import { planBuild } from "../../../image/plan/plan.ts";
import { orderFor } from "../../../image/protocol/order.ts";
import { PRESET_WIDTH_PIXELS } from "../../../limits.ts";
import type { AdmitRequest } from "../../messages.ts";
import { database } from "../../storage/database/database.ts";
import { nextToPrebuild, settlePrebuild, type MasterToPrebuild } from "../../storage/pictures/prebuilds.ts";
import { decideIdle } from "../schedule/admission.ts";
import type { Statements } from "../store/sql.ts";

/**
 * Returns the presets in the order of their widths, each in the formats to which `auto=format` can lead. A small master
 * has fewer of them.
 */
export function presetSpecs(facts: MasterFacts, quality: Quality, settings: ExtrasSettings): VariantSpec[] {
  const { animated } = facts;
  const widths = Object.values(PRESET_WIDTH_PIXELS)
    .map((preset): number => (FORMATS[facts.format].isVector ? preset : Math.min(preset, facts.width)))
    .toSorted((a, b) => a - b);
  return [...new Set(widths)].flatMap((width) =>
    negotiatedFormats(facts).map((format) => ({
      ...{ width, height: heightAt(width, facts), format, quality },
      animated,
      ...extrasOf(facts, settings, { format, width, animated }),
    })),
  );
}

/** Returns the request for a variant; none for a variant that cannot be built. */
function requestOf(master: MasterToPrebuild, spec: VariantSpec): AdmitRequest[] {
  const { spaceId, mediaId, version, facts, sizeBytes } = master;
  const plan = planBuild(facts, sizeBytes, spec);
  if (!plan.ok) return [];
  const file = variantFile(spec);
  return [
    {
      ...{ key: variantKey(master, file), spaceId, mediaId, version, file, lane: plan.lane, client: "" },
      masterKey: masterKey(master, master.file),
      order: orderFor(facts, sizeBytes, spec, plan),
    },
  ];
}

/**
 * Orders the presets of the space's next master; false when there is none. First the jobs, then the mark in D1: cut off
 * between the two, it is done again, and a variant that waits or is built already is not ordered twice.
 * @throws what D1 throws
 */
export async function orderPresets(d1: D1Database, q: Statements, spaceId: string): Promise<boolean> {
  const db = database(d1);
  const master = await nextToPrebuild(db, spaceId);
  if (!master) return false;
  const specs = master.isWanted ? presetSpecs(master.facts, master.quality, master) : [];
  const now = Date.now();
  for (const request of specs.flatMap((spec) => requestOf(master, spec))) decideIdle(q, request, now);
  await settlePrebuild(db, master);
  return true;
}
