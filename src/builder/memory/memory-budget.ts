/**
 * The memory that an isolate has promised. One isolate runs one build at a time (it is one thread) and may be shared by
 * several rooms, so there is one budget per isolate.
 *
 * A room that is reset never runs its `finally`, and the state of the module stays: its reservation would stay too. So
 * a reservation sends heartbeats, and one that sends none for long enough is taken back.
 */
import { BUILDER, ISOLATE } from "../../limits.ts";

/** A build under way, or its variant on its way out. */
export interface Reservation {
  /**
   * The memory that the isolate has for builds: all but the variants of earlier builds that their callers have not read
   * yet.
   */
  readonly budgetBytes: number;
  /** Whether the reservation was taken back: a build that still works for it must stop. */
  readonly isTakenBack: boolean;
  /** Sends a heartbeat. */
  beat(): void;
  /** The build is over; `heldBytes` stay reserved until `release`. */
  finish(heldBytes: number): void;
  /** Nothing of it is held any more. */
  release(): void;
}

interface Entry {
  bytes: number;
  isBuilding: boolean;
  isTakenBack: boolean;
  beats: number;
  /**
   * The heartbeat count at the last check, and when that count was first seen. A build that finds no free memory does
   * the check.
   */
  seen: { beats: number; at: number } | null;
}

export class MemoryBudget {
  readonly #entries = new Set<Entry>();

  get reservedBytes(): number {
    let sum = 0;
    for (const { bytes } of this.#entries) sum += bytes;
    return sum;
  }

  /** Reserves `bytes` for a build; null when one is running or the bytes do not fit. */
  reserve(bytes: number): Reservation | null {
    const budgetBytes = ISOLATE.buildBytes - this.reservedBytes;
    const isBusy = [...this.#entries].some(({ isBuilding }) => isBuilding);
    if (isBusy || bytes > budgetBytes) return null;
    const entry: Entry = { bytes, isBuilding: true, isTakenBack: false, beats: 0, seen: null };
    this.#entries.add(entry);
    const settle = (heldBytes: number): void => {
      entry.isBuilding = false;
      entry.bytes = heldBytes;
      if (heldBytes === 0) this.#entries.delete(entry);
    };
    return {
      budgetBytes,
      get isTakenBack() {
        return entry.isTakenBack;
      },
      beat: () => void (entry.beats += 1),
      finish: settle,
      release: () => settle(0),
    };
  }

  /**
   * Notes which reservations send heartbeats, for a build that found no room at `now`.
   * @returns whether one has shown none since it was first looked at, BUILDER.silentMs ago or longer
   */
  lookForSilence(now: number): boolean {
    let isSilent = false;
    for (const entry of this.#entries) {
      if (entry.seen?.beats !== entry.beats) entry.seen = { beats: entry.beats, at: now };
      else if (now - entry.seen.at >= BUILDER.silentMs) isSilent = true;
    }
    return isSilent;
  }

  /**
   * Takes back all that is silent, as `lookForSilence` has it.
   * @returns whether a build was among it, whose memories are to be wiped
   */
  takeBackSilent(now: number): boolean {
    let wasBuilding = false;
    for (const entry of this.#entries) {
      if (entry.seen?.beats !== entry.beats || now - entry.seen.at < BUILDER.silentMs) continue;
      wasBuilding ||= entry.isBuilding;
      entry.isTakenBack = true;
      this.#entries.delete(entry);
    }
    return wasBuilding;
  }
}
