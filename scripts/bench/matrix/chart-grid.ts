/** The lower part of the chart: every cell, coloured by its memory. */
import { MEGABYTE_BYTES } from "../../../src/limits.ts";
import { PEER_FORMATS } from "../peer-formats.ts";
import { keyOf, WIDTHS, type Cell, type Result } from "./cells.ts";
import { label, shape, type Theme } from "./chart-theme.ts";
import { FORMAT_LABELS } from "./labels.ts";
import { MASTERS } from "./masters.ts";
import type { Results } from "./results.ts";

const LEFT = 204;
const CELL = { width: 38.5, height: 16, gap: 1.5 };
const GROUP_GAP = 12;
const KIND_GAP = 7;
const HEAD = 70;
/** The upper bound in megabytes of each colour in the ramp. */
const STEPS = [16, 32, 64, 96, 108];

const columnX = (format: number, width: number): number =>
  LEFT + format * (WIDTHS.length * CELL.width + GROUP_GAP) + width * CELL.width;

function drawCell(result: Result | undefined, x: number, y: number, theme: Theme): string[] {
  if (!result) return [];
  const box = { x, y, width: CELL.width - CELL.gap, height: CELL.height - CELL.gap, rx: 2 };
  const text = (content: string, fill: string): string =>
    label(x + (CELL.width - CELL.gap) / 2, y + CELL.height - 4.9, content, {
      class: "cell",
      fill,
      "text-anchor": "middle",
    });
  if (result.outcome === "built") {
    const megabytes = result.peakBytes / MEGABYTE_BYTES;
    const step = Math.max(
      0,
      STEPS.findIndex((most) => megabytes <= most),
    );
    return [
      shape("rect", { ...box, fill: theme.ramp[step]! }),
      text(megabytes.toFixed(0), theme.inkOn[step]!),
    ];
  }
  if (result.outcome === "over-limit") {
    return [shape("rect", { ...box, fill: "none", stroke: theme.rule }), text("limit", theme.muted)];
  }
  return [
    shape("rect", { ...box, fill: theme.warningGround, stroke: theme.warning }),
    text("✕", theme.warning),
  ];
}

function legend(theme: Theme, y: number): string[] {
  let x = LEFT;
  const entry = (content: string, box: Record<string, string>, width: number): string[] => {
    const parts = [
      shape("rect", { x, y: y - 10, width: 16, height: 12, rx: 2, ...box }),
      label(x + 21, y, content, { class: "key", fill: theme.muted }),
    ];
    x += width;
    return parts;
  };
  return [
    ...STEPS.flatMap((step, i) =>
      entry(i === 0 ? `up to ${step} MB` : String(step), { fill: theme.ramp[i]! }, i === 0 ? 100 : 54),
    ),
    ...entry("over a limit of the service", { fill: "none", stroke: theme.rule }, 184),
    ...entry("does not fit", { fill: theme.warningGround, stroke: theme.warning }, 100),
  ];
}

/** @returns the shapes, and their lower end */
export function drawGrid(results: Results, theme: Theme, top: number): { shapes: string[]; bottom: number } {
  const known = new Map(results.cells.map((result) => [keyOf(result), result]));
  const shapes = [
    label(46, top + 18, "Every kind of master to every format, at q 80", { class: "title" }),
    label(
      46,
      top + 36,
      "Peak memory of the build in MB; nothing is scaled up, so a master fills no column beyond its width",
      { class: "note", fill: theme.muted },
    ),
  ];
  for (const [f, format] of PEER_FORMATS.entries()) {
    shapes.push(label(columnX(f, 0), top + HEAD - 16, FORMAT_LABELS[format], { class: "head" }));
    for (const [w, width] of WIDTHS.entries()) {
      const middle = columnX(f, w) + (CELL.width - CELL.gap) / 2;
      shapes.push(
        label(middle, top + HEAD - 3, String(width), {
          class: "tick",
          fill: theme.muted,
          "text-anchor": "middle",
        }),
      );
    }
  }
  let y = top + HEAD + 3;
  for (const kind of MASTERS) {
    shapes.push(label(10, y + CELL.height - 4.6, kind.label, { class: "row" }));
    for (const megapixels of kind.megapixels) {
      const size = kind.name === "svg" ? "any size" : `${megapixels} MP`;
      shapes.push(
        label(LEFT - 8, y + CELL.height - 4.6, size, {
          class: "tick",
          fill: theme.muted,
          "text-anchor": "end",
        }),
      );
      for (const [f, format] of PEER_FORMATS.entries()) {
        for (const [w, width] of WIDTHS.entries()) {
          const cell: Cell = { master: kind.name, megapixels, format, width };
          shapes.push(...drawCell(known.get(keyOf(cell)), columnX(f, w), y, theme));
        }
      }
      y += CELL.height;
    }
    y += KIND_GAP;
  }
  return { shapes: [...shapes, ...legend(theme, y + 14)], bottom: y + 28 };
}
