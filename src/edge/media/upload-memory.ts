/**
 * Bounds how many uploads run at once in an isolate, by memory, and how much of it one space may hold: others must not
 * wait for its uploads. A reservation is renewed with each chunk. One that is silent for too long no longer counts,
 * because the platform may end a request without running its `finally`.
 */
import { ApiError } from "../../errors.ts";
import { SVG, UPLOAD } from "../../limits.ts";

interface Reservation {
  spaceId: string;
  bytes: number;
  /** Milliseconds. */
  begunAt: number;
  /** Milliseconds. */
  lastSign: number;
}

/** An upload that waits for memory. */
interface Waiter {
  spaceId: string;
  bytes: number;
  waitedMs: number;
  /** Milliseconds. */
  begunAt: number;
  /** Milliseconds. */
  lastLook: number;
}

export interface MemoryShares {
  totalBytes: number;
  perSpaceBytes: number;
  /**
   * An upload has precedence over those of other spaces if its space holds no more than this with it, or nothing without
   * it.
   */
  firstBytes?: number;
}

export class UploadMemory {
  readonly #reserved = new Set<Reservation>();
  readonly #shares: MemoryShares;
  readonly #now: () => number;
  readonly #waiting = new Set<Waiter>();

  constructor(shares: MemoryShares, now: () => number) {
    this.#shares = shares;
    this.#now = now;
  }

  /** @throws ApiError UNAVAILABLE, with Retry-After, when what runs leaves no room for the space */
  begin(spaceId: string, bytes: number): UploadReservation {
    return this.#handleOf(this.#add(spaceId, bytes));
  }

  /**
   * Reserves memory as `begin` does, and waits for it while other uploads end. A body that waits is not read, so it holds
   * no memory. It asks again by a timer of its own, because a request must not wait for another one to wake it.
   * @throws ApiError UNAVAILABLE, with Retry-After, when there is no room within the wait, or too many wait already
   */
  async reserve(spaceId: string, bytes: number): Promise<UploadReservation> {
    return this.#handleOf(await this.#addInTime(spaceId, bytes));
  }

  #handleOf(first: Reservation): UploadReservation {
    let reservation = first;
    return {
      sign: () => {
        reservation.lastSign = this.#now();
        // A reservation that no longer counted, but was alive, counts again.
        this.#reserved.add(reservation);
      },
      shrink: (to) => void (reservation.bytes = Math.min(reservation.bytes, to)),
      grow: async (to) => {
        if (reservation.bytes >= to) return;
        // If uploads that wait kept their memory, they might wait for one another.
        this.#reserved.delete(reservation);
        reservation = await this.#addInTime(reservation.spaceId, to);
      },
      end: () => void this.#reserved.delete(reservation),
    };
  }

  #add(spaceId: string, bytes: number): Reservation {
    const refused = this.#refusalOf(spaceId, bytes);
    if (refused) throw refused;
    const begunAt = this.#now();
    const reservation = { spaceId, bytes, begunAt, lastSign: begunAt };
    this.#reserved.add(reservation);
    return reservation;
  }

  async #addInTime(spaceId: string, bytes: number): Promise<Reservation> {
    const begunAt = this.#now();
    const waiter = { spaceId, bytes, waitedMs: 0, begunAt, lastLook: begunAt };
    for (; ; waiter.waitedMs += UPLOAD.placePollMs) {
      this.#forgetSilent();
      const refused = this.#givesWay(waiter) ? refusal(TOO_MANY) : this.#refusalOf(spaceId, bytes);
      if (!refused) return this.#add(spaceId, bytes);
      if (waiter.waitedMs >= UPLOAD.placeWaitMaxMs || this.#mayNotWait(spaceId)) throw refused;
      waiter.lastLook = this.#now();
      this.#waiting.add(waiter);
      try {
        await new Promise((resolve) => setTimeout(resolve, UPLOAD.placePollMs));
      } finally {
        this.#waiting.delete(waiter);
      }
    }
  }

  /** Returns whether enough wait already. A space of which none waits may still have one that does. */
  #mayNotWait(spaceId: string): boolean {
    const isFull = this.#waiting.size >= UPLOAD.placeWaitersMax;
    return isFull && [...this.#waiting].some((waiter) => waiter.spaceId === spaceId);
  }

  #refusalOf(spaceId: string, bytes: number): ApiError | null {
    this.#forgetSilent();
    if (bytes === 0) return null;
    const held = this.#heldBySpace();
    if ((held.get(spaceId) ?? 0) + bytes > this.#shares.perSpaceBytes) {
      return refusal("This space has as many uploads under way here as it may.");
    }
    return sumOf([...this.#reserved]) + bytes > this.#shares.totalBytes ? refusal(TOO_MANY) : null;
  }

  /** Returns the bytes that each space holds. */
  #heldBySpace(): Map<string, number> {
    const held = new Map<string, number>();
    for (const { spaceId, bytes } of this.#reserved) held.set(spaceId, (held.get(spaceId) ?? 0) + bytes);
    return held;
  }

  /**
   * Returns whether an upload has to wait because it would delay one of another space: one that has precedence over it,
   * or one that has precedence too and has waited for long. Otherwise small uploads would keep a large one out.
   */
  #givesWay(waiter: Waiter): boolean {
    const held = this.#heldBySpace();
    const hasPrecedence = ({ spaceId, bytes }: Waiter): boolean => {
      const own = held.get(spaceId) ?? 0;
      return own === 0 || own + bytes <= (this.#shares.firstBytes ?? 0);
    };
    const longMs = hasPrecedence(waiter) ? Math.max(waiter.waitedMs, UPLOAD.placeSoonMs) : -1;
    return [...this.#waiting].some(
      (other) =>
        other.spaceId !== waiter.spaceId &&
        other.waitedMs > longMs &&
        hasPrecedence(other) &&
        this.#delays(waiter.bytes, other),
    );
  }

  /**
   * Returns whether a reservation of so many bytes would delay an upload that waits: without it, that one would fit once
   * those have ended that began a moment ago, or also one of the older ones. Others may pass it, because their waiting
   * would not help it, but only as many as fit beside it. So it fits at the latest when those that began before its long
   * wait have ended.
   */
  #delays(bytes: number, waiter: Waiter): boolean {
    const now = this.#now();
    const isRecent = ({ begunAt }: Reservation): boolean => now - begunAt < UPLOAD.placeSoonMs;
    const hasPassed = ({ begunAt }: Reservation): boolean => begunAt >= waiter.begunAt + UPLOAD.placeSoonMs;
    const all = [...this.#reserved];
    const [allBytes, recentBytes] = [sumOf(all), sumOf(all.filter(isRecent))];
    const older = all.filter((one) => !isRecent(one) && !hasPassed(one));
    /** The bytes of all, of all but one, and of those alone that have passed. */
    const rests = [allBytes, ...older.map((one) => allBytes - one.bytes), sumOf(all.filter(hasPassed))];
    const isRoomBeside = (others: number): boolean => others + waiter.bytes <= this.#shares.totalBytes;
    return rests.some((rest) => isRoomBeside(rest - recentBytes) && !isRoomBeside(rest + bytes));
  }

  /** Forgets uploads that give no sign of life: the platform may have ended their requests without a `finally`. */
  #forgetSilent(): void {
    const now = this.#now();
    for (const other of this.#reserved) {
      if (now - other.lastSign >= UPLOAD.silentMaxMs) this.#reserved.delete(other);
    }
    for (const other of this.#waiting) {
      if (now - other.lastLook >= UPLOAD.waiterSilentMaxMs) this.#waiting.delete(other);
    }
  }
}

const sumOf = (reservations: readonly Reservation[]): number =>
  reservations.reduce((sum, { bytes }) => sum + bytes, 0);

const TOO_MANY = "Too many uploads are under way here.";

const refusal = (what: string): ApiError =>
  new ApiError("UNAVAILABLE", `${what} Send the file again in a moment.`, {
    headers: { "Retry-After": String(UPLOAD.retryAfterSeconds) },
  });

export interface UploadReservation {
  /** Renews the reservation. To be called with each chunk. */
  sign(): void;
  /** Gives back all but so many bytes, once it is known that no more are needed. */
  shrink(toBytes: number): void;
  /**
   * Waits for more memory, once it is known that it is needed. The body must not be read meanwhile.
   * @throws ApiError UNAVAILABLE, as `reserve`
   */
  grow(toBytes: number): Promise<void>;
  end(): void;
}

/** Returns the memory that a file of so many bytes takes; with null, one of any length. */
export const memoryOf = (bytes: number | null): number =>
  Math.min(UPLOAD.memoryBytes, Math.max(UPLOAD.memoryMinBytes, UPLOAD.memoryPerByte * (bytes ?? Infinity)));

/** The memory that all uploads of this isolate share. */
export const uploadMemory = new UploadMemory(
  {
    totalBytes: UPLOAD.memoryMaxBytes,
    perSpaceBytes: UPLOAD.memoryPerSpaceMaxBytes,
    firstBytes: UPLOAD.memoryBytes,
  },
  Date.now,
);

/** The drawings that are checked at a time in this isolate, by their bytes. A check that pauses holds its tree. */
export const drawingChecks = new UploadMemory(
  {
    totalBytes: UPLOAD.checkedMaxBytes,
    perSpaceBytes: SVG.maxBytes,
    firstBytes: UPLOAD.checkedMaxBytes - SVG.maxBytes,
  },
  Date.now,
);
