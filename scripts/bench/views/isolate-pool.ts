/** The isolates of all regions. A request runs in an isolate of its region. Each isolate ends after ten minutes. */
import type { Clock } from "./clock.ts";
import type { Isolate } from "./isolates.ts";

const ISOLATE_MS = 600_000;
/** Simultaneous isolates per region. */
const ISOLATES_PER_REGION = 2;

interface Slot {
  isolate: Isolate | null;
  until: number;
}

export class IsolatePool {
  readonly #make: () => Isolate;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #slots: Slot[][];

  constructor(make: () => Isolate, clock: Clock, random: () => number, regions: number) {
    this.#make = make;
    this.#clock = clock;
    this.#random = random;
    this.#slots = Array.from({ length: regions }, () =>
      Array.from({ length: ISOLATES_PER_REGION }, () => ({ isolate: null, until: 0 })),
    );
  }

  of(region: number): Isolate {
    const slots = this.#slots[region] as Slot[];
    const slot = slots[Math.floor(this.#random() * slots.length)] as Slot;
    if (slot.isolate && slot.until > this.#clock.now()) return slot.isolate;
    // The first ones end at different times.
    const age = slot.isolate ? 0 : this.#random() * ISOLATE_MS;
    slot.until = this.#clock.now() + ISOLATE_MS - age;
    return (slot.isolate = this.#make());
  }
}
