/** The builder's Durable Object: takes orders, keeps the ledger, stores nothing. */
import { DurableObject, RpcTarget } from "cloudflare:workers";
import type {
  BuildAnswer,
  BuildFailure,
  BuildOrder,
  BuildRoomApi,
  BuiltPart,
  ReadRange,
} from "../image/protocol/build.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../image/plan/plan-placeholder.ts";
import type { PartedBuild } from "./parted-build.ts";
import { sendPieces } from "./streams/workerd-output.ts";
import { take, takePlaceholder } from "./accept-order.ts";

export interface BuilderEnv {
  VERSION: string;
}

/** The rest of a build in the queue's hands. Disposed of, also by the end of the queue, it breaks the build off. */
class Rest extends RpcTarget {
  readonly #build: PartedBuild;

  constructor(build: PartedBuild) {
    super();
    this.#build = build;
  }

  next(): Promise<BuiltPart | BuildFailure> {
    return this.#build.next();
  }

  [Symbol.dispose](): void {
    void this.#build.end();
  }
}

/** What comes with a call is disposed of with its answer, and a build may go on after that. */
const kept = (readRange: ReadRange): ReadRange => (readRange as unknown as { dup(): ReadRange }).dup();

export class BuildRoom extends DurableObject<BuilderEnv> implements BuildRoomApi {
  /** @throws Error only when the master did not arrive whole: nothing was learned of the picture then */
  build(order: BuildOrder, master: ReadableStream<Uint8Array>, readRange?: ReadRange): Promise<BuildAnswer> {
    const exit = { send: sendPieces, handOver: (build: PartedBuild) => new Rest(build) };
    return take(order, master, exit, readRange && kept(readRange));
  }

  /** @throws Error only when the master did not arrive whole */
  placeholder(
    order: PlaceholderOrder,
    master: ReadableStream<Uint8Array>,
    readRange?: ReadRange,
  ): Promise<PlaceholderAnswer> {
    return takePlaceholder(order, master, readRange);
  }

  ping(): Promise<{ ok: true; version: string }> {
    return Promise.resolve({ ok: true, version: this.env.VERSION });
  }
}
