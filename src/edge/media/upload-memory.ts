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
  readonly #waiting = new Set<{ spaceId: string }>();

  constructor(shares: MemoryShares, now: () => number) {
    this.#shares = shares;
    this.#now = now;
  }

  /** @throws ApiError UNAVAILABLE, with Retry-After, when what runs leaves no room for the space */
  begin(spaceId: string, bytes: number): UploadReservation {
    const refused = this.#refusalOf(spaceId, bytes);
    if (refused) throw refused;
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
      const refused = this.#givesWay(spaceId) ? refusal(TOO_MANY) : this.#refusalOf(spaceId, bytes);
      if (!refused) return this.begin(spaceId, bytes);
      if (waitedMs >= UPLOAD.placeWaitMaxMs || this.#waiting.size >= UPLOAD.placeWaitersMax) throw refused;
      const waiter = { spaceId };
      this.#waiting.add(waiter);
      try {
        await new Promise((resolve) => setTimeout(resolve, UPLOAD.placePollMs));
      } finally {
        this.#waiting.delete(waiter);
      }
    }
  }

  #refusalOf(spaceId: string, bytes: number): ApiError | null {
    this.#forgetSilent();
    const held = [...this.#reserved];
    if (sumOf(held.filter((other) => other.spaceId === spaceId)) + bytes > this.#shares.perSpaceBytes) {
      return refusal("This space has as many uploads under way here as it may.");
    }
    return sumOf(held) + bytes > this.#shares.totalBytes ? refusal(TOO_MANY) : null;
  }

  /** Whether the space has an upload under way while another one waits for its first. */
  #givesWay(spaceId: string): boolean {
    const served = new Set([...this.#reserved].map((reservation) => reservation.spaceId));
    return served.has(spaceId) && [...this.#waiting].some((waiter) => !served.has(waiter.spaceId));
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

const TOO_MANY = "Too many uploads are under way here.";

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
