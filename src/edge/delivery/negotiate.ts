/** The formats that a client accepts (RULES 5.5; RFC 9110 §12.5.1). */
import { FORMATS, NEGOTIATED_FORMATS, type NegotiatedFormat } from "../../image/formats/registry.ts";
import { remembered } from "../../remembered.ts";

/** Whether the client accepts each of the formats that `auto=format` can lead to. */
export type AcceptedFormats = Readonly<Record<NegotiatedFormat, boolean>>;

const NOT_ACCEPTABLE = /^0(?:\.0{0,3})?$/;

const formatsIn = remembered((accept): AcceptedFormats => {
  const named = new Map<string, boolean>();
  for (const item of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = item.split(";").map((part) => part.trim());
    const q = parameters.map((p) => p.split("=").map((part) => part.trim())).find(([name]) => name === "q");
    named.set(type, !NOT_ACCEPTABLE.test(q?.[1] ?? "1"));
  }
  const isAccepted = (format: NegotiatedFormat): boolean => named.get(FORMATS[format].mime) ?? false;
  return Object.fromEntries(
    NEGOTIATED_FORMATS.map((format) => [format, isAccepted(format)]),
  ) as AcceptedFormats;
});

/**
 * Reads an Accept header. Only explicit types count, never wildcards. A q-value of 0 refuses; others have no effect
 * (RULES 5.5).
 */
export const acceptedFormats = (accept: string | null): AcceptedFormats => formatsIn(accept ?? "");

/** Writes `Accept` in a normal form, so that one copy of an answer serves all clients that accept the same formats. */
export const normalAccept = (accepted: AcceptedFormats): string =>
  NEGOTIATED_FORMATS.filter((format) => accepted[format])
    .map((format) => FORMATS[format].mime)
    .join(",");
