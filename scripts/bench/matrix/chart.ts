/** The README's chart, for light and dark pages. */
import { drawGrid } from "./chart-grid.ts";
import { drawLines, LINES_BOTTOM } from "./chart-lines.ts";
import { label, THEMES } from "./chart-theme.ts";
import type { Results } from "./results.ts";

const WIDTH = 880;

export function drawChart(results: Results, mode: keyof typeof THEMES): string {
  const theme = THEMES[mode];
  const grid = drawGrid(results, theme, LINES_BOTTOM + 12);
  const height = grid.bottom + 22;
  const { processor, cores, node } = results.machine;
  const machine = `Measured by npm run bench matrix on one core of ${cores} (${processor}), Node ${node}.`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" fill="${theme.text}" role="img" aria-label="Peak memory of builds, against the 128 MB of an isolate">
<style>
text { font-family: -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
.title { font-size: 15px; font-weight: 600; }
.head { font-size: 12px; font-weight: 600; }
.row { font-size: 11px; }
.note, .key { font-size: 11px; }
.tick { font-size: 10px; }
.cell { font-size: 9.5px; }
</style>
<rect width="100%" height="100%" fill="${theme.ground}"/>
${[...drawLines(results, theme), ...grid.shapes, label(46, grid.bottom + 10, machine, { class: "tick", fill: theme.muted })].filter(Boolean).join("\n")}
</svg>
`;
}
