/** The names of results in tables and charts. */
import { FORMATS } from "../../../src/image/formats/registry.ts";
import { PEER_FORMATS, type PeerFormat } from "../peer-formats.ts";

export const FORMAT_LABELS = Object.fromEntries(
  PEER_FORMATS.map((format) => [format, FORMATS[format].title]),
) as Record<PeerFormat, string>;
