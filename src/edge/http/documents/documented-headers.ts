/** The headers that requests and answers of the API carry, as the API document explains them. */

export const REQUEST_HEADERS = {
  "If-Match": "An ETag that was read: a version that is stale by now is 412 and nothing changes",
  "If-None-Match": "An ETag that was read: 304 while it is current",
  "Idempotency-Key":
    "1 to 255 characters: for 24 hours the first answer to this request is given again. Another request under the key " +
    "is 422, one that is still running 409",
  "X-Filename": "The file's name, percent-encoded UTF-8, where the body is the file itself",
  "X-Focal-Point": "What crops are centred on: shares of width and height, as `0.25,0.75`",
  Range: "One byte range",
  "MCP-Protocol-Version": "The version of the protocol that `initialize` answered",
  Accept: "Read with `auto=format` alone: `image/avif` and `image/webp` count, wildcards do not",
} as const;

export const RESPONSE_HEADERS = {
  ETag: "The version of what is answered, for If-Match and If-None-Match",
  Location: "The address of what was created, or where a redirect leads",
  "Cache-Control": "How long the answer may be kept",
  Vary: "`Accept`, on negotiated answers alone",
  "Accept-Ranges": "`bytes`",
  "Content-Range": "Which bytes of how many",
  "X-Service-Width": "Width of the file that this answer leads to, in pixels",
  "X-Service-Height": "Height of that file",
  "X-Service-File": "The kind of that file: master or variant",
  "X-Service-Transform":
    "State of the variant: hit, built, queued, coalesced, limited, overloaded or unavailable; absent where the " +
    "master is the answer by rule",
} as const;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
