/** A moment as its distance from now; the moment itself stands in its tooltip. */
import { ago, dateTime } from "../lib/format.ts";

export function Ago({ time }: { time: string }) {
  return (
    <time dateTime={time} title={dateTime(time)}>
      {ago(time)}
    </time>
  );
}
