/** Which formats a client said it takes (RULES 5.5; RFC 9110 §12.5.1). */

export interface AcceptedFormats {
  avif: boolean;
  webp: boolean;
}

const NOT_ACCEPTABLE = /^0(?:\.0{0,3})?$/;

/** Only an explicit type counts, never a wildcard; a q-value of 0 refuses, others do not reorder (RULES 5.5). */
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

/** An `Accept` that says the same and nothing else, so that an answer is kept once for all clients alike. */
export const normalAccept = ({ avif, webp }: AcceptedFormats): string =>
  [...(avif ? ["image/avif"] : []), ...(webp ? ["image/webp"] : [])].join(",");
