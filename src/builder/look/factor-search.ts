/**
 * Searches the factor on an encoder's steps of quantisation at which a picture has the look that its quality promises.
 * Over the logarithm of the factor, the logarithm of the differences that SSIMULACRA 2 adds up is nearly a straight line.
 */
import { FITTING_FACTORS } from "../../image/formats/encoding.ts";
import { differencesAt } from "./ssimulacra2.ts";

/** After so many trials the next factor is final. */
const MOST_TRIALS = 2;
/** A factor is final without a trial if the differences change by less than this, in logarithms: a point or two. */
const NEAR = 0.1;
/**
 * The line through two trials is not steeper than the mean line by more than MOST_STEEPER, and not flatter by more than
 * MOST_FLATTER. Quantisers are whole numbers and loop filters set in at some of them, so two trials near each other can
 * differ by much less than those beyond them. A flat line would lead to steps that are far too coarse, which is worse
 * than steps that are too fine.
 */
const MOST_STEEPER = 2;
const MOST_FLATTER = { coarser: 1.4, finer: 2 } as const;
/** Two trials whose factors are nearer than this, in logarithms, say nothing about the steepness. */
const LEAST_SPAN = 0.02;

interface Trial {
  readonly step: number;
  readonly differences: number;
}

const logOf = (score: number): number => Math.log(differencesAt(score));
const LEAST_STEP = Math.log(FITTING_FACTORS.finest);
const MOST_STEP = Math.log(FITTING_FACTORS.coarsest);

export class FactorSearch {
  readonly #wanted: number;
  readonly #meanPower: number;
  readonly #trials: Trial[] = [];
  #step = 0;
  #isDone = false;

  /** @param power how the differences grow with the factor, as a mean over pictures */
  constructor(promised: number, power: number) {
    this.#wanted = logOf(promised);
    this.#meanPower = power;
  }

  /** The factor to try next, or the one that was found. */
  get factor(): number {
    return Math.exp(this.#step);
  }

  /** Whether the factor is final. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Takes the score that a trial with `factor` had. */
  tell(score: number): void {
    const trial = { step: this.#step, differences: logOf(score) };
    const missing = this.#wanted - trial.differences;
    const power = this.#powerFor(trial, missing > 0 ? "coarser" : "finer");
    this.#trials.push(trial);
    const step = Math.max(LEAST_STEP, Math.min(MOST_STEP, this.#step + missing / power));
    const isSame = step === this.#step;
    this.#step = step;
    this.#isDone = isSame || this.#trials.length === MOST_TRIALS || Math.abs(missing) < NEAR;
  }

  /** Returns the steepness of the line on which the next factor is, in a direction from `trial`. */
  #powerFor({ step, differences }: Trial, direction: keyof typeof MOST_FLATTER): number {
    const before = this.#trials.at(-1);
    if (!before || Math.abs(step - before.step) < LEAST_SPAN) return this.#meanPower;
    const power = (differences - before.differences) / (step - before.step);
    const least = this.#meanPower / MOST_FLATTER[direction];
    return Math.max(least, Math.min(this.#meanPower * MOST_STEEPER, power));
  }
}
