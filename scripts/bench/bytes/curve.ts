/** The bytes, the similarity and the time of an encoder's files over its own scale of quality, measured on demand. */

export interface Point {
  bytes: number;
  /** SSIMULACRA 2. */
  score: number;
  /** 0 for equal pictures. */
  dssim: number;
  /** The 3-norm, 0 for equal pictures; null where its program is missing. */
  butteraugli: number | null;
  /** Processor time of the encoder, in ms. */
  ms: number;
}

/** Steps on each encoder's own scale. All of these scales end at 100. */
const LADDER = [5, 15, 25, 35, 45, 55, 62, 68, 73, 78, 82, 85, 88, 90, 92, 94, 96, 98, 100];

export class Curve {
  readonly #measure: (quality: number) => Promise<Point>;
  readonly #points = new Map<number, Point>();

  constructor(measure: (quality: number) => Promise<Point>) {
    this.#measure = measure;
  }

  async #at(step: number): Promise<Point> {
    const quality = LADDER[step]!;
    const known = this.#points.get(quality);
    if (known) return known;
    const point = await this.#measure(quality);
    this.#points.set(quality, point);
    return point;
  }

  /**
   * Returns the bytes and the time at which `look` reaches `wanted`. `look` must grow with quality. Between two steps
   * of the ladder, the logarithms of both are interpolated.
   * @returns null if the encoder's scale ends below `wanted`
   */
  async costAt(look: (point: Point) => number, wanted: number): Promise<Pick<Point, "bytes" | "ms"> | null> {
    let [low, high] = [0, LADDER.length - 1];
    if (look(await this.#at(high)) < wanted || look(await this.#at(low)) > wanted) return null;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (look(await this.#at(middle)) <= wanted) low = middle;
      else high = middle;
    }
    const [below, above] = [await this.#at(low), await this.#at(high)];
    const span = look(above) - look(below);
    const share = span > 0 ? (wanted - look(below)) / span : 0;
    const between = (from: number, to: number): number => from * (to / from) ** share;
    return { bytes: between(below.bytes, above.bytes), ms: between(below.ms, above.ms) };
  }

  /** Every point that was measured, for the chart. */
  get points(): Point[] {
    return [...this.#points.values()].sort((a, b) => a.bytes - b.bytes);
  }
}
