/** The queue at work: its waiting jobs, its latest builds, and the rest of the budget. */
import { useMemo } from "preact/hooks";
import { Activity as ActivityIcon } from "lucide-preact";
import { useActivity, type Activity, type LaneState } from "../api/activity.ts";
import { ago, count, counted } from "../lib/format.ts";
import { Card, Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { BuildsTable } from "./builds-table.tsx";
import { bucketsOf, sumOf } from "./buckets.ts";
import { BuildsPlot } from "./plot.tsx";
import "./activity.css";

interface GaugeProps {
  name: string;
  value: number;
  max: number;
  unit: string;
  words: string;
}

/** Renders a number of at most so many, as a number and as a bar. */
function Gauge({ name, value, max, unit, words }: GaugeProps) {
  return (
    <figure class="card gauge" aria-label={name}>
      <figcaption>{name}</figcaption>
      <p class="gauge-value numbers">
        {count(value)}
        <span class="gauge-max">
          {" "}
          of {count(max)} {unit}
        </span>
      </p>
      <meter min={0} max={max} value={value} aria-label={`${name}: ${value} of ${max}`} />
      <p class="field-hint numbers">{words}</p>
    </figure>
  );
}

const oldest = ({ oldestAt }: LaneState): string =>
  oldestAt === null ? "Nothing waits." : `The oldest was asked for ${ago(oldestAt)}.`;

const resets = ({ resetsAt }: Activity["budget"]): string =>
  resetsAt === null ? "Nothing is charged." : `Starts anew ${ago(resetsAt)}.`;

function Builds({ activity }: { activity: Activity }) {
  const data = useMemo(() => bucketsOf(activity.perSecond, Date.now()), [activity]);
  const [built, failed, refused] = [sumOf(data.built), sumOf(data.failed), sumOf(data.refused)];
  return (
    <figure class="card builds" aria-label="Builds">
      <figcaption class="card-head">
        <span class="builds-title">Builds</span>
        <span class="page-aside numbers">
          {count(built)} built, {count(failed)} failed, {count(refused)} refused in the last hour
        </span>
      </figcaption>
      <BuildsPlot data={data} />
    </figure>
  );
}

export function ActivityPage() {
  const { data, error, refetch } = useActivity();
  if (!data) {
    return (
      <Page title="Activity">
        {error ? <Fault error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
      </Page>
    );
  }
  const { queue, budget, builds } = data;
  return (
    <Page
      title="Activity"
      aside={queue.running === 0 ? "Idle" : `${counted(queue.running, "build")} under way`}
    >
      <div class="gauges">
        <Gauge
          name="Light queue"
          value={queue.light.waiting}
          max={queue.light.max}
          unit="places"
          words={oldest(queue.light)}
        />
        <Gauge
          name="Heavy queue"
          value={queue.heavy.waiting}
          max={queue.heavy.max}
          unit="places"
          words={oldest(queue.heavy)}
        />
        <Gauge
          name="Budget"
          value={budget.used}
          max={budget.max}
          unit="new variants"
          words={resets(budget)}
        />
      </div>
      <Builds activity={data} />
      <Card title="Last builds">
        {builds.length === 0 ? (
          <Empty title="Nothing built yet" picture={<ActivityIcon />}>
            Variants are built when a visitor asks for them, and presets after an upload.
          </Empty>
        ) : (
          <BuildsTable builds={builds} />
        )}
      </Card>
    </Page>
  );
}
