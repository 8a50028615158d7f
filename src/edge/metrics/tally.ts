/** Counts that are kept in memory until they are reported. Batches are plain data that can be sent and added. */
import {
  HISTOGRAMS,
  writeLabels,
  type COUNTERS,
  type CounterName,
  type HistogramName,
  type LabelsOf,
} from "./families.ts";

export interface Distribution {
  /** The number of values up to each bound of the family and above the previous bound; the last one is above all. */
  buckets: number[];
  /** The sum of all values, in seconds. */
  sum: number;
}

/** Counts by name of the figure, and then by its labels as text. */
export interface MetricsBatch {
  counters: Record<string, Record<string, number>>;
  distributions: Record<string, Record<string, Distribution>>;
}

export const emptyBatch = (): MetricsBatch => ({ counters: {}, distributions: {} });

/** Adds the counts of `batch` to `total`. */
export function addBatch(total: MetricsBatch, batch: MetricsBatch): void {
  for (const [name, series] of Object.entries(batch.counters)) {
    const sums = (total.counters[name] ??= {});
    for (const [labels, n] of Object.entries(series)) sums[labels] = (sums[labels] ?? 0) + n;
  }
  for (const [name, series] of Object.entries(batch.distributions)) {
    const sums = (total.distributions[name] ??= {});
    for (const [labels, { buckets, sum }] of Object.entries(series)) {
      const known = sums[labels] ?? { buckets: [], sum: 0 };
      // One of both may come from another version that has more buckets.
      const length = Math.max(buckets.length, known.buckets.length);
      sums[labels] = {
        buckets: Array.from({ length }, (_, at) => (buckets[at] ?? 0) + (known.buckets[at] ?? 0)),
        sum: known.sum + sum,
      };
    }
  }
}

export class Tally {
  #batch = emptyBatch();
  #isEmpty = true;

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  count<Name extends CounterName>(name: Name, labels: LabelsOf<(typeof COUNTERS)[Name]>, n = 1): void {
    if (n === 0) return;
    this.#isEmpty = false;
    const series = (this.#batch.counters[name] ??= {});
    const key = writeLabels(labels);
    series[key] = (series[key] ?? 0) + n;
  }

  observe<Name extends HistogramName>(
    name: Name,
    labels: LabelsOf<(typeof HISTOGRAMS)[Name]>,
    seconds: number,
  ): void {
    this.#isEmpty = false;
    const { upTo } = HISTOGRAMS[name];
    const key = writeLabels(labels);
    const series = (this.#batch.distributions[name] ??= {});
    const distribution = (series[key] ??= { buckets: Array<number>(upTo.length + 1).fill(0), sum: 0 });
    const bucket = upTo.findIndex((bound) => seconds <= bound);
    const at = bucket < 0 ? upTo.length : bucket;
    distribution.buckets[at] = (distribution.buckets[at] ?? 0) + 1;
    distribution.sum += seconds;
  }

  /** Returns the counts and starts anew. */
  take(): MetricsBatch {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    this.#isEmpty = true;
    return batch;
  }

  /** Adds a batch that could not be reported. */
  putBack(batch: MetricsBatch): void {
    addBatch(this.#batch, batch);
    this.#isEmpty = false;
  }
}
