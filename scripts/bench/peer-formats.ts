/** The formats that the builder is compared in: sharp and jSquash write them too. */
import type { OutputFormat } from "../../src/image/formats/registry.ts";

export const PEER_FORMATS = ["jpeg", "png", "webp", "avif"] as const satisfies readonly OutputFormat[];
export type PeerFormat = (typeof PEER_FORMATS)[number];
