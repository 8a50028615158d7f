/** The builder's Durable Object: takes orders, keeps the ledger, stores nothing. */
import { DurableObject, RpcTarget } from "cloudflare:workers";
import type { BuildAnswer, BuildFailure, BuildOrder, BuildRoomApi, BuiltPart } from "../image/build.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../image/placeholder.ts";
import type { PartedBuild } from "./parted-build.ts";
import { sendPieces } from "./send.ts";
import { take, takePlaceholder } from "./take.ts";

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

export class BuildRoom extends DurableObject<BuilderEnv> implements BuildRoomApi {
  /** @throws Error only when the master did not arrive whole: nothing was learned of the picture then */
  build(order: BuildOrder, master: ReadableStream<Uint8Array>): Promise<BuildAnswer> {
    return take(order, master, { send: sendPieces, handOver: (build) => new Rest(build) });
  }

  /** @throws Error only when the master did not arrive whole */
  placeholder(order: PlaceholderOrder, master: ReadableStream<Uint8Array>): Promise<PlaceholderAnswer> {
    return takePlaceholder(order, master);
  }

  ping(): Promise<{ ok: true; version: string }> {
    return Promise.resolve({ ok: true, version: this.env.VERSION });
  }
}
