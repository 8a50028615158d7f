/**
 * A builder that does what a test says. It lives in the isolate of the tests but is called as the real one is, so
 * streams and failures cross the same border.
 */
import { DurableObject } from "cloudflare:workers";
import type {
  BuildAnswer,
  BuildOrder,
  BuildRoomApi,
  OpenMaster,
  ReadRange,
} from "../../../../src/image/protocol/build.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../../../../src/image/protocol/placeholder.ts";
import { AS_PIECES } from "../../../../src/image/protocol/previous-version.ts";
import { hangs } from "./builder-behaviours.ts";
import { type Behaviour, forget, type PlaceholderBehaviour, seen, until } from "./builder-calls.ts";

export * from "./builder-behaviours.ts";
export {
  answer,
  build,
  makes,
  PLACEHOLDER,
  type Behaviour,
  type Call,
  type PlaceholderBehaviour,
  type PlaceholderCall,
} from "./builder-calls.ts";

export const builder = {
  reset: forget,
  /** Sets the behaviours of the next calls, in order. */
  next: (...behaviours: Behaviour[]): void => void seen().next.push(...behaviours),
  /** Sets the behaviour of all other calls. */
  always: (behaviour: Behaviour): void => void (seen().always = behaviour),
  nextPlaceholders: (...behaviours: PlaceholderBehaviour[]): void =>
    void seen().nextPlaceholders.push(...behaviours),
  alwaysPlaceholder: (behaviour: PlaceholderBehaviour): void => void (seen().alwaysPlaceholder = behaviour),
  placeholderOrders: (): PlaceholderOrder[] => seen().placeholderCalls.map((call) => call.order),
  placeholderRooms: (): number[] => seen().placeholderCalls.map((call) => call.room),
  placeholdersCalled: (count: number): Promise<void> => until(() => seen().placeholderCalls.length >= count),
  /** While it is not reachable, every call and ping fails as if the process were gone. */
  setReachable: (reachable: boolean): void => void (seen().reachable = reachable),
  /** Makes a room behave as if its isolate computed in one piece until the test ends. */
  block: (room: number, what: "pings" | "all" = "all"): void => void seen().blocked.set(room, what),
  widths: (): number[] => seen().calls.map((call) => call.order.spec.width),
  orders: (): BuildOrder[] => seen().calls.map((call) => call.order),
  rooms: (): number[] => seen().calls.map((call) => call.room),
  partsAsked: (): number => seen().partsAsked,
  /** How often the rest of a build was disposed of. */
  disposed: (): number => seen().disposed,
  runningMax: (): number => seen().runningMax,
  pings: (): number => seen().pings,
  /** Resolves once the builder has been called `count` times. */
  called: (count: number): Promise<void> => until(() => seen().calls.length >= count),
};

class MasterGone extends Error {}

/** Opens the master when a behaviour reads it. */
const readerOf = (open: OpenMaster) => async (): Promise<string> => {
  const master = await open(AS_PIECES);
  if (!master) throw new MasterGone();
  const pieces = [master.first];
  for (let piece = await master.next(); piece.length > 0; piece = await master.next()) pieces.push(piece);
  master[Symbol.dispose]?.();
  return new Blob(pieces).text();
};

export class BuildRoom extends DurableObject implements BuildRoomApi {
  /** Notes the call and does what the test says. */
  async buildFrom(order: BuildOrder, open: OpenMaster, readRange?: ReadRange): Promise<BuildAnswer> {
    const now = seen();
    if (!now.reachable) throw new Error("Network connection lost.");
    if (now.blocked.get(this.#room) === "all") return hangs();
    const call = {
      room: this.#room,
      order,
      readMaster: readerOf(open),
      readRange:
        readRange &&
        (async (offset: number, length: number) => {
          const part = await readRange(offset, length);
          return part && new Response(part).text();
        }),
    };
    now.calls.push(call);
    now.running += 1;
    now.runningMax = Math.max(now.runningMax, now.running);
    try {
      return await (now.next.shift() ?? now.always)(call);
    } catch (error) {
      if (error instanceof MasterGone) return { ok: false, code: "gone" };
      throw error;
    } finally {
      now.running -= 1;
    }
  }

  async placeholderFrom(order: PlaceholderOrder, open: OpenMaster): Promise<PlaceholderAnswer> {
    const now = seen();
    if (!now.reachable) throw new Error("Network connection lost.");
    const call = {
      room: Number(this.ctx.id.name?.split("#")[1]),
      order,
      readMaster: readerOf(open),
    };
    now.placeholderCalls.push(call);
    try {
      return await (now.nextPlaceholders.shift() ?? now.alwaysPlaceholder)(call);
    } catch (error) {
      if (error instanceof MasterGone) return { ok: false, code: "gone" };
      throw error;
    }
  }

  get #room(): number {
    return Number(this.ctx.id.name?.split("#")[1]);
  }

  async ping(): Promise<{ ok: true; version: string }> {
    seen().pings += 1;
    if (seen().blocked.has(this.#room)) return hangs();
    if (!seen().reachable) throw new Error("Network connection lost.");
    return { ok: true, version: "fake" };
  }
}
