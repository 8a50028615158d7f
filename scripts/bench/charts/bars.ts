/** Horizontal bars in groups, for light and dark pages. */
import { label, shape, THEMES, type Theme } from "./theme.ts";

export interface Bar {
  /** The series, whose colour it has. */
  series: string;
  value: number;
  text: string;
}

export interface BarChart {
  title: string;
  groups: { name: string; bars: Bar[] }[];
  /** Names of the series in order: the first two are ours. */
  series: readonly string[];
  /** A value that is marked by a line. */
  mark: { value: number; text: string };
  /** Longer bars are cut off here. */
  most: number;
}

const LEFT = 190;
const WIDTH = 500;
const RIGHT = 90;
const TOP = 64;
const BAR = 11;
const GAP = 9;

function colourOf({ series }: BarChart, theme: Theme, name: string): string {
  const [first, second, ...others] = series;
  if (name === first) return theme.warning;
  if (name === second) return theme.warningGround;
  return theme.widths[others.indexOf(name) % theme.widths.length]!;
}

/** Draws the chart. A bar that is longer than the scale ends in a gap. */
export function drawBars(chart: BarChart, mode: keyof typeof THEMES): string {
  const theme = THEMES[mode];
  const x = (value: number): number => LEFT + (Math.min(value, chart.most) / chart.most) * WIDTH;
  const shapes: string[] = [];
  let y = TOP;
  for (const { name, bars } of chart.groups) {
    const middle = y + (bars.length * BAR) / 2 + 4;
    shapes.push(label(LEFT - 10, middle, name, { class: "tick", "text-anchor": "end" }));
    for (const { series, value, text } of bars) {
      const fill = colourOf(chart, theme, series);
      const box = { x: LEFT, y: y + 1, width: Math.max(1, x(value) - LEFT), height: BAR - 2 };
      shapes.push(
        shape("rect", {
          ...box,
          fill,
          stroke: theme.warning,
          "stroke-width": fill === theme.warningGround ? 1 : 0,
        }),
      );
      if (value > chart.most)
        shapes.push(shape("rect", { x: x(value) - 14, y, width: 4, height: BAR, fill: theme.ground }));
      shapes.push(label(x(value) + 5, y + BAR - 2, text, { class: "value", fill: theme.muted }));
      y += BAR;
    }
    y += GAP;
  }
  const height = y + 10;
  const width = LEFT + WIDTH + RIGHT;
  const at = x(chart.mark.value);
  let keyX = 16;
  const key = chart.series.map((name) => {
    const fill = colourOf(chart, theme, name);
    const box = shape("rect", {
      x: keyX,
      y: 32,
      width: 10,
      height: 10,
      fill,
      stroke: theme.warning,
      "stroke-width": fill === theme.warningGround ? 1 : 0,
    });
    const text = label(keyX + 15, 41, name, { class: "tick" });
    keyX += 34 + name.length * 6;
    return box + text;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" fill="${theme.text}" role="img" aria-label="${chart.title}">
<style>
text { font-family: -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
.title { font-size: 13px; font-weight: 600; }
.tick { font-size: 11px; }
.value { font-size: 9.5px; }
</style>
<rect width="100%" height="100%" fill="${theme.ground}"/>
${label(16, 20, chart.title, { class: "title" })}
${key.join("\n")}
${shape("line", { x1: at, x2: at, y1: TOP - 4, y2: y - GAP + 4, stroke: theme.text, "stroke-width": 1, "stroke-dasharray": "3 3" })}
${label(at + 4, TOP - 8, chart.mark.text, { class: "value" })}
${shapes.join("\n")}
</svg>
`;
}
