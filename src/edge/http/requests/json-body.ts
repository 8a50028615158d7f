/** Reads a JSON body under its limit (RULES 1.6). */
import { ApiError } from "../../../errors.ts";
import { UPLOAD } from "../../../limits.ts";
import type { AppContext } from "../context.ts";
import { parseExactly } from "../../../content/text/exact-numbers.ts";
import { chunksOf, passOver } from "./request-body.ts";

const tooLarge = (): ApiError =>
  new ApiError("PAYLOAD_TOO_LARGE", `A JSON body may have at most ${UPLOAD.jsonMaxBytes} bytes.`);

/** @throws ApiError UNSUPPORTED_CONTENT_TYPE for a body with a Content-Encoding: no route decompresses bodies */
export function refuseEncodedBody(headers: Headers): void {
  const codings = (headers.get("Content-Encoding") ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase());
  if (codings.every((coding) => coding === "" || coding === "identity")) return;
  throw new ApiError("UNSUPPORTED_CONTENT_TYPE", "Send the body as it is, without a Content-Encoding.");
}

/** The media type of a JSON Merge Patch (RFC 7396). */
export const MERGE_PATCH_TYPE = "application/merge-patch+json";

/** Returns the media type of the body, without its parameters. */
export const typeOfBody = (c: AppContext): string =>
  (c.req.header("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

/**
 * @param takesPatch also of a JSON Merge Patch
 * @throws ApiError UNSUPPORTED_CONTENT_TYPE, PAYLOAD_TOO_LARGE, INVALID_JSON
 */
export async function readJson(c: AppContext, takesPatch = false): Promise<unknown> {
  refuseEncodedBody(c.req.raw.headers);
  const types = ["application/json", ...(takesPatch ? [MERGE_PATCH_TYPE] : [])];
  if (!types.includes(typeOfBody(c))) {
    const message = `Send the body as JSON with Content-Type: ${types.join(" or ")}.`;
    throw new ApiError("UNSUPPORTED_CONTENT_TYPE", message);
  }
  if (Number(c.req.header("Content-Length") ?? 0) > UPLOAD.jsonMaxBytes) {
    await passOverInTime(c.req.raw.body);
    throw tooLarge();
  }
  const bytes = await readBounded(c.req.raw.body);
  try {
    // "fatal" refuses lone surrogates and other broken UTF-8 instead of replacing them.
    return parseExactly(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (cause) {
    throw new ApiError("INVALID_JSON", "The body is not valid JSON in UTF-8.", { cause });
  }
}

/** Takes a body that is refused unread, so that its sender reads the answer. One that does not come is not waited for. */
async function passOverInTime(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body) return;
  const isOver = new Promise<void>((resolve) => setTimeout(resolve, UPLOAD.refusedJsonMaxMs));
  await Promise.race([passOver(body), isOver]);
}

/** Reads the bytes of a body. @throws ApiError PAYLOAD_TOO_LARGE over the limit of a JSON body */
export async function readBounded(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ? chunksOf(body) : []) {
    length += chunk.byteLength;
    if (length > UPLOAD.jsonMaxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
