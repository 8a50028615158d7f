/** From an order to its answer: not now, failed, or the variant. */
import { ENCODER_VERSION } from "../image/model/variant.ts";
import type { PlaceholderPlan } from "../image/plan/build-plan.ts";
import type { BuildAnswer, BuildOrder, OpenMaster, ReadRange, RestOfBuild } from "../image/protocol/build.ts";
import type { NotNow } from "../image/protocol/not-now.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../image/protocol/placeholder.ts";
import { BUILDER } from "../limits.ts";
import { type BackgroundWork, watchWanted } from "./background.ts";
import { makePlaceholder } from "./build-placeholder.ts";
import { BuildSession } from "./build-session.ts";
import { background, fairShare, isolateName } from "./isolate.ts";
import { PartedBuild, type Send } from "./parted-build.ts";
import { yieldToEventLoop } from "./scheduling/work-meter.ts";
import type { ReadFont } from "./streams/build-context.ts";
import { bodyOf } from "./streams/portable-output.ts";
import { smallAsBytes } from "./small-as-bytes.ts";

/** How a variant goes out. */
export interface Exit {
  send: Send;
  /** Takes the rest of a build that has more parts. */
  handOver: (build: PartedBuild) => RestOfBuild;
  abandonedMs?: number;
}

/** By which files a build is fed. */
export interface Feed {
  open: OpenMaster;
  /** Disposed of when the build is over. */
  readRange?: ReadRange | undefined;
  readFont: ReadFont;
}

/** The call that brings an order. */
export interface OrderCall extends Feed {
  /** The space whose room was called: spaces take turns. */
  space: string;
}

/** By what every platform has. The runtime has better (build-room.ts). */
const ANYWHERE: Exit = { send: bodyOf, handOver: (build) => build };

/**
 * Takes an order, or answers why not now, without having opened the master.
 * @throws SourceLost when the master did not arrive whole
 */
export async function acceptOrder(
  order: BuildOrder,
  { space, open, readRange, readFont }: OrderCall,
  { send, handOver, abandonedMs }: Exit = ANYWHERE,
): Promise<BuildAnswer> {
  const startedAt = Date.now();
  const { plan, facts, sourceBytes, peakBytes } = order;
  if (order.encoderVersion !== ENCODER_VERSION) return notNow("version");
  const refused = (code: NotNow["code"]): NotNow => {
    fairShare.refused(space, order.waitedMs ?? 0, Date.now());
    return notNow(code);
  };
  if (!fairShare.mayGo(space, Date.now())) return refused("busy");
  // If nothing else runs, the build starts at once, without yielding to the event loop: the first to come has the room.
  if (background.isRunning) await background.giveWay();
  const master = { facts, sourceBytes, peakBytes, open, readRange, readFont };
  const session = await BuildSession.begin(plan, master);
  if (session === "busy") return refused(session);
  if (typeof session === "string") return notNow(session);
  fairShare.served(space);
  const build = new PartedBuild(session, smallAsBytes(send), abandonedMs);
  const first = await build.next();
  if (!first.ok) return { ...first, isolate: isolateName() };
  const { facts: built, ...part } = first;
  const by = { isolate: isolateName(), ms: Date.now() - startedAt, masterMs: session.waitedMs };
  return built
    ? { ...part, facts: built, rest: null, ...by }
    : { ...part, facts: null, rest: handOver(build), ...by };
}

/**
 * Makes a placeholder, or answers why not: at once, or when an order has come meanwhile. One that is overdue takes its
 * turn among the orders, and none ends it.
 * @throws SourceLost when the master did not arrive whole
 */
export async function acceptPlaceholder(
  order: PlaceholderOrder,
  { space, open, readRange, readFont }: OrderCall,
): Promise<PlaceholderAnswer> {
  const { plan, facts, sourceBytes, peakBytes } = order;
  const permit = order.isOverdue ? await overduePermit(space) : background.begin();
  if (!permit) return notNow("busy");
  const yieldOnce = async (): Promise<void> => {
    permit.beat();
    await yieldToEventLoop();
    if (permit.isUnwanted) throw new Error("an order has come");
  };
  const unwanted = new AbortController();
  let session: BuildSession<PlaceholderPlan> | null = null;
  // Also while its master is waited for.
  const stopWatching = watchWanted(permit, async () => {
    unwanted.abort();
    await session?.source.close();
  });
  try {
    const master = { facts, sourceBytes, peakBytes, open, readRange, readFont };
    const begun = await BuildSession.begin(plan, master, { yieldOnce, signal: unwanted.signal });
    if (typeof begun === "string") {
      if (order.isOverdue) fairShare.refused(space, 2 * BUILDER.claimMaxMs, Date.now());
      return notNow(begun);
    }
    session = begun;
    if (order.isOverdue) fairShare.served(space);
    return { ok: true, ...(await makePlaceholder(session.context)), isolate: isolateName() };
  } catch (error) {
    if (permit.isUnwanted) return notNow("busy");
    if (!session) throw error;
    return session.failed(error, "decode");
  } finally {
    stopWatching();
    await session?.end();
    permit.end();
  }
}

/** Returns the permit of a placeholder that no order ends; null while it is another space's turn. */
async function overduePermit(space: string): Promise<BackgroundWork | null> {
  if (!fairShare.mayGo(space, Date.now())) {
    fairShare.refused(space, 2 * BUILDER.claimMaxMs, Date.now());
    return null;
  }
  if (background.isRunning) await background.giveWay();
  return { isUnwanted: false, beat: () => undefined, end: () => undefined };
}

const notNow = (code: NotNow["code"]): NotNow & { isolate: string } => ({
  ok: false,
  code,
  isolate: isolateName(),
});
