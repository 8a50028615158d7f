/** The builder's Durable Object: takes orders, keeps the ledger, stores nothing. */
import { DurableObject, RpcTarget } from "cloudflare:workers";
import type {
  BuildAnswer,
  BuildFailure,
  BuildOrder,
  BuildRoomApi,
  BuiltPart,
  OpenMaster,
  ReadRange,
} from "../image/protocol/build.ts";
import { VERSION } from "../generated/version.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../image/protocol/placeholder.ts";
import { fontsOf } from "./codecs/svg/fonts.ts";
import type { PartedBuild } from "./parted-build.ts";
import { sendPieces } from "./streams/workerd-output.ts";
import { acceptOrder, acceptPlaceholder, type Feed, type OrderCall } from "./accept-order.ts";

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

/** Keeps a stub of a call, which would be disposed of with the answer: a build may go on after that. */
const kept = <Stub extends OpenMaster | ReadRange>(stub: Stub): Stub =>
  (stub as unknown as { dup(): Stub }).dup();

/** The bindings of wrangler.toml. */
export interface BuilderEnv {
  FONTS: Fetcher;
}

const EXIT = { send: sendPieces, handOver: (build: PartedBuild) => new Rest(build) };

export class BuildRoom extends DurableObject<BuilderEnv> implements BuildRoomApi {
  /** @throws Error only when the master did not arrive whole: nothing was learned of the picture then */
  buildFrom(order: BuildOrder, open: OpenMaster, readRange?: ReadRange): Promise<BuildAnswer> {
    return acceptOrder(order, this.#call(open, readRange), EXIT);
  }

  /** @throws Error only when the master did not arrive whole */
  placeholderFrom(
    order: PlaceholderOrder,
    open: OpenMaster,
    readRange?: ReadRange,
  ): Promise<PlaceholderAnswer> {
    return acceptPlaceholder(order, this.#call(open, readRange));
  }

  ping(): Promise<{ ok: true; version: string }> {
    return Promise.resolve({ ok: true, version: VERSION });
  }

  #feed(open: OpenMaster, readRange: ReadRange | undefined): Feed {
    return { open, readRange: readRange && kept(readRange), readFont: fontsOf(this.env.FONTS) };
  }

  /** Describes the call of an order. Rooms are named `{spaceId}#{n}`. */
  #call(open: OpenMaster, readRange: ReadRange | undefined): OrderCall {
    const { id } = this.ctx;
    const space = (id.name ?? id.toString()).split("#")[0] ?? "";
    return { space, ...this.#feed(open, readRange) };
  }
}
