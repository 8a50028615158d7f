/** From an order to its answer: busy, failed, or the variant. */
import type {
  BuildAnswer,
  BuildFailure,
  BuildOrder,
  ReadRange,
  RestOfBuild,
} from "../image/protocol/build.ts";
import { fitsBeside } from "../image/memory/isolate.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../image/plan/plan-placeholder.ts";
import { planVariant } from "../image/plan/plan.ts";
import { Background, watchWanted } from "./background.ts";
import { bodyOf } from "./streams/portable-output.ts";
import { PartedBuild, type Send } from "./parted-build.ts";
import { makePlaceholder } from "./build-placeholder.ts";
import { turn } from "./scheduling/turn.ts";
import { Work } from "./build-session.ts";

const background = new Background();

const BUSY = { ok: false, code: "busy" } as const;

/** How a variant goes out. */
export interface Exit {
  send: Send;
  /** What is given away of a build that has more parts. */
  handOver: (build: PartedBuild) => RestOfBuild;
  abandonedMs?: number;
}

/** By what every platform has. The runtime has better (build-room.ts). */
const ANYWHERE: Exit = { send: bodyOf, handOver: (build) => build };

/**
 * Takes an order, or answers `busy` without having read anything.
 * @param readRange disposed of when the build is over
 * @throws SourceLost when the master did not arrive whole
 */
export async function take(
  order: BuildOrder,
  master: ReadableStream<Uint8Array>,
  { send, handOver, abandonedMs }: Exit = ANYWHERE,
  readRange?: ReadRange,
): Promise<BuildAnswer> {
  // Without a turn of the event loop where there is nothing to wait for: what comes first books first.
  if (background.isRunning) await background.giveWay();
  const work = await Work.begin(order, master, readRange);
  if (!work) return BUSY;
  const refusal = refusalOf(work, order);
  if (refusal) {
    await work.end();
    return refusal;
  }
  const build = new PartedBuild(order, work, send, abandonedMs);
  const first = await build.next();
  if (!first.ok) return first;
  const { facts, ...part } = first;
  return facts ? { ...part, facts, rest: null } : { ...part, facts, rest: handOver(build) };
}

/**
 * Makes a placeholder, or answers `busy`: at once, or when an order has come meanwhile.
 * @throws SourceLost when the master did not arrive whole
 */
export async function takePlaceholder(
  order: PlaceholderOrder,
  master: ReadableStream<Uint8Array>,
  readRange?: ReadRange,
): Promise<PlaceholderAnswer> {
  const permit = background.begin();
  if (!permit) {
    await master.cancel().catch(() => undefined);
    return BUSY;
  }
  const wantedTurn = async (): Promise<void> => {
    await turn();
    if (permit.isUnwanted) throw new Error("an order has come");
  };
  try {
    const work = await Work.begin(order, master, readRange);
    if (!work) return BUSY;
    const stopWatching = watchWanted(permit, () => work.source.close());
    try {
      return { ok: true, ...(await makePlaceholder(work.shop, order, work.source, wantedTurn)) };
    } catch (error) {
      return permit.isUnwanted ? BUSY : work.failed(error);
    } finally {
      stopWatching();
      await work.end();
    }
  } finally {
    permit.end();
  }
}

/**
 * The memories may have grown for builds before: what is planned must fit beside what they are now. Of what no plan
 * would let through, the build itself says what is wrong with it.
 */
function refusalOf(work: Work, { facts, sourceBytes, spec }: BuildOrder): typeof BUSY | BuildFailure | null {
  try {
    const plan = planVariant(facts, sourceBytes, spec);
    const fits = !plan.ok || fitsBeside(plan.bytes, work.shop.memoryBytes, work.booking.budgetBytes);
    return fits ? null : BUSY;
  } catch (error) {
    return work.failed(error);
  }
}
