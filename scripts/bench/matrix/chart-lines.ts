/** The upper part of the chart: memory over megapixels, for the builder and for the plain jSquash chain. */
import { ISOLATE, MEGABYTE_BYTES } from "../../../src/limits.ts";
import { PEER_FORMATS, type PeerFormat } from "../peer-formats.ts";
import { WIDTHS } from "./cells.ts";
import { label, path, shape, type Theme } from "./chart-theme.ts";
import { FORMAT_LABELS } from "./labels.ts";
import type { Results } from "./results.ts";

const PANEL = { width: 184, height: 200, gap: 24, left: 46, top: 74 };
const X_TICKS = [1, 2, 4, 12, 24, 80];
const Y_TICKS = [1, 4, 16, 64, 256, 1024, 4096];
const [Y_MIN, Y_MAX] = [0.7, 6000];
const [X_MIN, X_MAX] = [0.85, 95];
/** Its name in the README. */
const MASTER = "jpeg";

export const LINES_BOTTOM = PANEL.top + PANEL.height + 46;

type Point = readonly [megapixels: number, megabytes: number];

const share = (value: number, from: number, to: number): number =>
  Math.log(value / from) / Math.log(to / from);

class Panel {
  readonly #left: number;
  readonly #theme: Theme;

  constructor(index: number, theme: Theme) {
    this.#left = PANEL.left + index * (PANEL.width + PANEL.gap);
    this.#theme = theme;
  }

  x(megapixels: number): number {
    return this.#left + share(megapixels, X_MIN, X_MAX) * PANEL.width;
  }

  y(megabytes: number): number {
    return PANEL.top + (1 - share(megabytes, Y_MIN, Y_MAX)) * PANEL.height;
  }

  /** The ground, the ticks, and the line at an isolate's memory. */
  axes(title: string, isFirst: boolean): string[] {
    const { rule, muted, warning, warningGround } = this.#theme;
    const right = this.#left + PANEL.width;
    const limit = this.y(ISOLATE.totalBytes / MEGABYTE_BYTES);
    const bottom = PANEL.top + PANEL.height;
    const ground = { x: this.#left, y: PANEL.top, width: PANEL.width, height: limit - PANEL.top };
    return [
      shape("rect", { ...ground, fill: warningGround }),
      label(this.#left, PANEL.top - 10, title, { class: "head" }),
      ...Y_TICKS.flatMap((tick) => [
        shape("line", { x1: this.#left, x2: right, y1: this.y(tick), y2: this.y(tick), stroke: rule }),
        isFirst
          ? label(this.#left - 6, this.y(tick) + 3.5, String(tick), {
              class: "tick",
              fill: muted,
              "text-anchor": "end",
            })
          : "",
      ]),
      ...X_TICKS.map((tick) =>
        label(this.x(tick), bottom + 14, String(tick), {
          class: "tick",
          fill: muted,
          "text-anchor": "middle",
        }),
      ),
      shape("line", {
        x1: this.#left,
        x2: right,
        y1: limit,
        y2: limit,
        stroke: warning,
        "stroke-width": 1.5,
        "stroke-dasharray": "4 3",
      }),
    ];
  }

  line(points: readonly Point[], colour: string): string[] {
    const places = points.map(([megapixels, megabytes]) => [this.x(megapixels), this.y(megabytes)] as const);
    return [
      shape("path", {
        d: path(places),
        fill: "none",
        stroke: colour,
        "stroke-width": 2,
        "stroke-linejoin": "round",
      }),
      ...places.map(([cx, cy]) => shape("circle", { cx, cy, r: 2.6, fill: colour })),
    ];
  }

  get right(): number {
    return this.#left + PANEL.width;
  }
}

function ofBuilder(results: Results, format: PeerFormat, width: number): Point[] {
  return results.cells.flatMap((cell): Point[] =>
    cell.master === MASTER && cell.format === format && cell.width === width && cell.outcome === "built"
      ? [[cell.megapixels, cell.peakBytes / MEGABYTE_BYTES]]
      : [],
  );
}

const ofChain = (results: Results, format: PeerFormat): Point[] =>
  results.chain.flatMap((run): Point[] =>
    run.format === format && run.peakBytes !== null ? [[run.megapixels, run.peakBytes / MEGABYTE_BYTES]] : [],
  );

function legend(theme: Theme): string[] {
  const y = PANEL.top + PANEL.height + 34;
  let x = PANEL.left;
  const entry = (colour: string, text: string, dash = ""): string[] => {
    const line = {
      x1: x,
      x2: x + 18,
      y1: y - 4,
      y2: y - 4,
      stroke: colour,
      "stroke-width": 2.5,
      "stroke-dasharray": dash,
    };
    const parts = [shape("line", line), label(x + 23, y, text, { class: "key", fill: theme.muted })];
    x += 42 + text.length * 5.9;
    return parts;
  };
  return [
    ...WIDTHS.flatMap((width, i) =>
      entry(theme.widths[i]!, i === 0 ? `Silverprint, ${width} wide` : String(width)),
    ),
    ...entry(theme.warning, "plain jSquash, 1000 wide"),
    ...entry(theme.warning, "128 MB: a Workers isolate", "4 3"),
  ];
}

export function drawLines(results: Results, theme: Theme): string[] {
  const panels = PEER_FORMATS.map((format, index) => {
    const panel = new Panel(index, theme);
    return [
      ...panel.axes(`to ${FORMAT_LABELS[format]}`, index === 0),
      ...panel.line(ofChain(results, format), theme.warning),
      ...WIDTHS.flatMap((width, i) => panel.line(ofBuilder(results, format, width), theme.widths[i]!)),
    ];
  });
  return [
    label(PANEL.left, 24, "Peak memory of one build, baseline JPEG masters", { class: "title" }),
    label(PANEL.left, 42, "MB over megapixels of the master, both on logarithmic scales", {
      class: "note",
      fill: theme.muted,
    }),
    ...panels.flat(),
    ...legend(theme),
  ];
}
