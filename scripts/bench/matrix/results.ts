/** The measurements, kept in results.json. The README's table and the charts are made from this file alone. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import type { PeerFormat } from "../peer-formats.ts";
import type { Megapixels } from "../masters.ts";
import { keyOf, type Cell, type Result } from "./cells.ts";

/** A run of the plain jSquash chain on a baseline JPEG. */
export interface ChainResult {
  megapixels: Megapixels;
  format: PeerFormat;
  width: number;
  /** Null if the run failed. */
  peakBytes: number | null;
  ms: number | null;
}

export interface Results {
  machine: { processor: string; cores: number; node: string; sharp: string };
  cells: Result[];
  chain: ChainResult[];
}

const PATH = fileURLToPath(new URL("results.json", import.meta.url));

const machine = (): Results["machine"] => ({
  processor: cpus()[0]?.model ?? "unknown",
  cores: availableParallelism(),
  node: process.versions.node,
  sharp: sharp.versions.sharp,
});

export function readResults(): Results {
  if (!existsSync(PATH)) return { machine: machine(), cells: [], chain: [] };
  return JSON.parse(readFileSync(PATH, "utf8")) as Results;
}

/** One line per cell, in the order of `cells`. Results of other cells are left out. */
export function writeResults(results: Results, cells: Cell[]): void {
  const known = new Map(results.cells.map((result) => [keyOf(result), result]));
  const lines = (items: unknown[]): string => items.map((item) => `    ${JSON.stringify(item)}`).join(",\n");
  const kept = cells.flatMap((cell) => known.get(keyOf(cell)) ?? []);
  const text = [
    "{",
    `  "machine": ${JSON.stringify(machine())},`,
    `  "cells": [\n${lines(kept)}\n  ],`,
    `  "chain": [\n${lines(results.chain)}\n  ]`,
    "}\n",
  ];
  writeFileSync(PATH, text.join("\n"));
}
