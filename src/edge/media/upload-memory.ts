/**
 * Bounds how many uploads run at once in an isolate, by memory. A reservation is renewed with each chunk. One that is
 * silent for too long no longer counts, because the platform may end a request without running its `finally`.
 */
import { ApiError } from "../../errors.ts";
import { UPLOAD } from "../../limits.ts";

interface Reservation {
  bytes: number;
  /** Milliseconds. */
  lastSign: number;
}

export class UploadMemory {
  readonly #reserved = new Set<Reservation>();
  readonly #totalBytes: number;
  readonly #now: () => number;

  constructor(totalBytes: number, now: () => number) {
    this.#totalBytes = totalBytes;
    this.#now = now;
  }

  /** @throws ApiError UNAVAILABLE, with Retry-After, when what runs leaves no room */
  begin(bytes: number): UploadReservation {
    const reservation: Reservation = { bytes: 0, lastSign: this.#now() };
    this.#grow(reservation, bytes);
    this.#reserved.add(reservation);
    return {
      sign: () => {
        reservation.lastSign = this.#now();
        // A reservation that no longer counted, but was alive, counts again.
        this.#reserved.add(reservation);
      },
      growTo: (more) => this.#grow(reservation, more),
      end: () => void this.#reserved.delete(reservation),
    };
  }

  #grow(reservation: Reservation, bytes: number): void {
    let others = 0;
    for (const other of this.#reserved) {
      if (other === reservation) continue;
      if (this.#now() - other.lastSign >= UPLOAD.silentMaxMs) this.#reserved.delete(other);
      else others += other.bytes;
    }
    if (others + bytes > this.#totalBytes) {
      throw new ApiError(
        "UNAVAILABLE",
        "Too many uploads are under way here. Send the file again in a moment.",
        {
          headers: { "Retry-After": String(UPLOAD.retryAfterSeconds) },
        },
      );
    }
    reservation.bytes = bytes;
  }
}

export interface UploadReservation {
  /** Renews the reservation. To be called with each chunk. */
  sign(): void;
  /** Changes the reservation to `bytes` in all. @throws as `begin` */
  growTo(bytes: number): void;
  end(): void;
}

/** The memory that all uploads of this isolate share. */
export const uploadMemory = new UploadMemory(UPLOAD.memoryMaxBytes, Date.now);
