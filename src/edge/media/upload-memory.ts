/**
 * Bounds how many uploads run at once in an isolate, by memory, and how much of it one space may hold: others must not
 * wait for its uploads. A reservation is renewed with each chunk. One that is silent for too long no longer counts,
 * because the platform may end a request without running its `finally`.
 */
import { ApiError } from "../../errors.ts";
import { UPLOAD } from "../../limits.ts";

interface Reservation {
  spaceId: string;
  bytes: number;
  /** Milliseconds. */
  lastSign: number;
}

export interface MemoryShares {
  totalBytes: number;
  perSpaceBytes: number;
}

export class UploadMemory {
  readonly #reserved = new Set<Reservation>();
  readonly #shares: MemoryShares;
  readonly #now: () => number;
  #waiting = 0;

  constructor(shares: MemoryShares, now: () => number) {
    this.#shares = shares;
    this.#now = now;
  }

  /** @throws ApiError UNAVAILABLE, with Retry-After, when what runs leaves no room for the space */
  begin(spaceId: string, bytes: number): UploadReservation {
    this.#forgetSilent();
    const held = [...this.#reserved];
    const ofSpace = held.filter((other) => other.spaceId === spaceId);
    if (sumOf(ofSpace) + bytes > this.#shares.perSpaceBytes) {
      throw refusal("This space has as many uploads under way here as it may.");
    }
    if (sumOf(held) + bytes > this.#shares.totalBytes) throw refusal("Too many uploads are under way here.");
    const reservation = { spaceId, bytes, lastSign: this.#now() };
    this.#reserved.add(reservation);
    return {
      sign: () => {
        reservation.lastSign = this.#now();
        // A reservation that no longer counted, but was alive, counts again.
        this.#reserved.add(reservation);
      },
      end: () => void this.#reserved.delete(reservation),
    };
  }

  /**
   * Reserves memory as `begin` does, and waits for it while other uploads end. A body that waits is not read, so it holds
   * no memory. It asks again by a timer of its own, because a request must not wait for another one to wake it.
   * @throws ApiError UNAVAILABLE, with Retry-After, when there is no room within the wait, or too many wait already
   */
  async reserve(spaceId: string, bytes: number): Promise<UploadReservation> {
    for (let waitedMs = 0; ; waitedMs += UPLOAD.placePollMs) {
      try {
        return this.begin(spaceId, bytes);
      } catch (refused) {
        if (waitedMs >= UPLOAD.placeWaitMaxMs || this.#waiting >= UPLOAD.placeWaitersMax) throw refused;
      }
      this.#waiting += 1;
      try {
        await new Promise((resolve) => setTimeout(resolve, UPLOAD.placePollMs));
      } finally {
        this.#waiting -= 1;
      }
    }
  }

  #forgetSilent(): void {
    const now = this.#now();
    for (const other of this.#reserved) {
      if (now - other.lastSign >= UPLOAD.silentMaxMs) this.#reserved.delete(other);
    }
  }
}

const sumOf = (reservations: Reservation[]): number =>
  reservations.reduce((sum, { bytes }) => sum + bytes, 0);

const refusal = (what: string): ApiError =>
  new ApiError("UNAVAILABLE", `${what} Send the file again in a moment.`, {
    headers: { "Retry-After": String(UPLOAD.retryAfterSeconds) },
  });

export interface UploadReservation {
  /** Renews the reservation. To be called with each chunk. */
  sign(): void;
  end(): void;
}

/** The memory that all uploads of this isolate share. */
export const uploadMemory = new UploadMemory(
  { totalBytes: UPLOAD.memoryMaxBytes, perSpaceBytes: UPLOAD.memoryPerSpaceMaxBytes },
  Date.now,
);
