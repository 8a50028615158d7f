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
/** The line through two trials is not steeper or flatter than the mean line by more than this factor. */
const MOST_POWER_FACTOR = 2;
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
  #power: number;
  readonly #trials: Trial[] = [];
  #step = 0;
  #isDone = false;

  /** @param power how the differences grow with the factor, as a mean over pictures */
  constructor(promised: number, power: number) {
    this.#wanted = logOf(promised);
    this.#power = power;
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
    this.#learnPower(trial);
    this.#trials.push(trial);
    const missing = this.#wanted - trial.differences;
    const step = Math.max(LEAST_STEP, Math.min(MOST_STEP, this.#step + missing / this.#power));
    const isSame = step === this.#step;
    this.#step = step;
    this.#isDone = isSame || this.#trials.length === MOST_TRIALS || Math.abs(missing) < NEAR;
  }

  #learnPower({ step, differences }: Trial): void {
    const before = this.#trials.at(-1);
    if (!before || Math.abs(step - before.step) < LEAST_SPAN) return;
    const power = (differences - before.differences) / (step - before.step);
    this.#power = Math.max(this.#power / MOST_POWER_FACTOR, Math.min(this.#power * MOST_POWER_FACTOR, power));
  }
}
