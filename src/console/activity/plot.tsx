/** Builds of the last hour as bars. The canvas says nothing to a screen reader: the figure's caption has the sums. */
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { BUCKET_SECONDS, type Buckets } from "./buckets.ts";

const HEIGHT_PIXELS = 220;
const BAR_SHARE = 0.72;
const BAR_MAX_PIXELS = 14;
const FEW = 5;

/** Returns a colour as the page shows it now: a canvas knows no custom properties. */
const colourOf = (host: HTMLElement, name: string): string => {
  const probe = host.querySelector(`.plot-${name}`);
  return probe ? getComputedStyle(probe).color : "";
};

/** Stacks bars: failed and refused builds stand on top of the others. */
const stacked = ({ at, built, failed, refused }: Buckets): uPlot.AlignedData => {
  const two = built.map((value, index) => value + (failed[index] ?? 0));
  return [at, two.map((value, index) => value + (refused[index] ?? 0)), two, built];
};

const timeOf = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

function draw(host: HTMLElement, width: number, data: Buckets): uPlot {
  const ink = colourOf(host, "ink");
  const line = { stroke: colourOf(host, "line"), width: 1 };
  const font = `12px ${getComputedStyle(host).fontFamily}`;
  const bars = uPlot.paths.bars?.({ size: [BAR_SHARE, BAR_MAX_PIXELS], align: 1 });
  const series = (name: string): uPlot.Series => ({
    fill: colourOf(host, name),
    stroke: "transparent",
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars }),
  });
  return new uPlot(
    {
      width,
      height: HEIGHT_PIXELS,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        // A bar stands between its beginning and the next one's.
        x: { time: true, range: (_, min, max) => [min, max + BUCKET_SECONDS] },
        y: { range: (_, __, max) => [0, Math.max(FEW, max * 1.1)] },
      },
      axes: [
        {
          stroke: ink,
          font,
          grid: { show: false },
          size: 30,
          ticks: { ...line, size: 4 },
          values: (_, splits) => splits.map((at) => timeOf.format(new Date(at * 1000))),
        },
        {
          stroke: ink,
          font,
          grid: line,
          ticks: { show: false },
          size: 36,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
        },
      ],
      series: [{}, series("refused"), series("failed"), series("built")],
    },
    stacked(data),
    host,
  );
}

export function BuildsPlot({ data }: { data: Buckets }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(data);
  const [epoch, setEpoch] = useState(0);
  latest.current = data;

  // Drawn anew when the theme or the width changes.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const renew = (): void => setEpoch((n) => n + 1);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const observer = new ResizeObserver(renew);
    observer.observe(element);
    dark.addEventListener("change", renew);
    window.addEventListener("themechange", renew);
    return () => {
      observer.disconnect();
      dark.removeEventListener("change", renew);
      window.removeEventListener("themechange", renew);
    };
  }, []);
  useEffect(() => {
    const element = host.current;
    if (!element || element.clientWidth === 0) return;
    plot.current = draw(element, element.clientWidth, latest.current);
    return () => plot.current?.destroy();
  }, [epoch]);
  useEffect(() => plot.current?.setData(stacked(data)), [data]);
  return (
    <>
      <ul class="plot-legend" aria-label={`Per ${BUCKET_SECONDS} seconds`}>
        {(["built", "failed", "refused"] as const).map((name) => (
          <li key={name}>
            <span class={`plot-swatch plot-${name}`} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
      <div ref={host} class="plot" style={{ height: `${HEIGHT_PIXELS}px` }} aria-hidden="true">
        {["ink", "line", "built", "failed", "refused"].map((name) => (
          <span key={name} class={`plot-probe plot-${name}`} />
        ))}
      </div>
    </>
  );
}
