/** The formats that a client accepts (RULES 5.5; RFC 9110 §12.5.1). */

export interface AcceptedFormats {
  avif: boolean;
  webp: boolean;
}

const NOT_ACCEPTABLE = /^0(?:\.0{0,3})?$/;

/** Only explicit types count, never wildcards. A q-value of 0 refuses; others have no effect (RULES 5.5). */
export function acceptedFormats(accept: string | null): AcceptedFormats {
  const result = { avif: false, webp: false };
  for (const item of (accept ?? "").toLowerCase().split(",")) {
    const [type, ...parameters] = item.split(";").map((part) => part.trim());
    if (type !== "image/avif" && type !== "image/webp") continue;
    const q = parameters.map((p) => p.split("=").map((part) => part.trim())).find(([name]) => name === "q");
    result[type === "image/avif" ? "avif" : "webp"] = !NOT_ACCEPTABLE.test(q?.[1] ?? "1");
  }
  return result;
}

/** A normal form of `Accept`, so that one copy of an answer serves all clients that accept the same formats. */
export const normalAccept = ({ avif, webp }: AcceptedFormats): string =>
  [...(avif ? ["image/avif"] : []), ...(webp ? ["image/webp"] : [])].join(",");
