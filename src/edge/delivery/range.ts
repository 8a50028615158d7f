/** One byte range of a file (RFC 9110 §14). */

export type RangeRequest =
  { kind: "whole" } | { kind: "part"; offset: number; length: number } | { kind: "unsatisfiable" };

const WHOLE: RangeRequest = { kind: "whole" };

/** Parses a Range header. Several ranges, other units and malformed headers are ignored, as §14.2 allows. */
export function parseRange(header: string | null, sizeBytes: number): RangeRequest {
  const match = /^bytes=(\d*)-(\d*)$/i.exec((header ?? "").replaceAll(/\s/g, ""));
  if (!match) return WHOLE;
  const [, first = "", last = ""] = match;
  if (first === "") {
    if (last === "") return WHOLE;
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? { kind: "unsatisfiable" } : { kind: "part", offset: sizeBytes - length, length };
  }
  const offset = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < offset) return WHOLE;
  if (offset >= sizeBytes) return { kind: "unsatisfiable" };
  return { kind: "part", offset, length: end - offset + 1 };
}

/** Returns whether `If-None-Match` lists this ETag (RFC 9110 §13.1.2, weak comparison). */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
