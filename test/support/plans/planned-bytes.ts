/** The plan's bytes against what builds really take: never under by more than 5 %, never over by more than 15 %. */
import { expect } from "vitest";
import type { OutputFormat } from "../../../src/image/formats/registry.ts";
import type { Effort } from "../../../src/image/model/variant.ts";
import { type Entry, errorOf } from "../../../scripts/samples/ledger-matrix.ts";

export const MOST = { under: 0.05, over: 0.15 } as const;

export function expectTruth(entry: Entry | null, label: string, mostOver: number = MOST.over): void {
  if (!entry) throw new Error(`${label} was refused`);
  const { under, over } = errorOf(entry);
  const figures = `${label}: ${entry.predicted} predicted, ${entry.taken} taken`;
  expect(under, figures).toBeLessThanOrEqual(MOST.under);
  expect(over, figures).toBeLessThanOrEqual(mostOver);
}

/**
 * A PNG takes the same memory by either effort. The thorough one takes ten times as long: it is tried up to here, among
 * variants of every kind.
 */
const THOROUGH_PNG_MAX_WIDTH = 500;
export const effortOf = (format: OutputFormat, width: number): { effort?: Effort } =>
  format === "png" && width > THOROUGH_PNG_MAX_WIDTH ? { effort: "quick" } : {};
