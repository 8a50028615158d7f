/** The builder's Durable Object: takes orders, keeps the ledger, stores nothing. */
import { DurableObject } from "cloudflare:workers";
import type { BuildAnswer, BuildOrder, BuildRoomApi } from "../image/build.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../image/placeholder.ts";
import { sendPieces } from "./send.ts";
import { take, takePlaceholder } from "./take.ts";

export interface BuilderEnv {
  VERSION: string;
}

export class BuildRoom extends DurableObject<BuilderEnv> implements BuildRoomApi {
  /** @throws Error only when the master did not arrive whole: nothing was learned of the picture then */
  build(order: BuildOrder, master: ReadableStream<Uint8Array>): Promise<BuildAnswer> {
    return take(order, master, sendPieces);
  }

  /** @throws Error only when the master did not arrive whole */
  placeholder(order: PlaceholderOrder, master: ReadableStream<Uint8Array>): Promise<PlaceholderAnswer> {
    return takePlaceholder(order, master);
  }

  ping(): Promise<{ ok: true; version: string }> {
    return Promise.resolve({ ok: true, version: this.env.VERSION });
  }
}
