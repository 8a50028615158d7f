/** Errors of the API: a code, a status, and a message that says what to do. Only `renderError` renders them. */
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS } from "./limits.ts";

/** Stable codes with their status (RULES 1.3). The API document lists them too. */
export const ERROR_STATUS = {
  INVALID_PARAMETER: 400,
  INVALID_JSON: 400,
  INVALID_IMAGE: 400,
  SVG_REJECTED: 400,
  INVALID_CURSOR: 400,
  INVALID_UPLOAD: 400,
  VALIDATION_FAILED: 400,
  CONFIRMATION_REQUIRED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  ORIGIN_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TOO_SLOW: 408,
  CONFLICT: 409,
  UPLOAD_INCOMPLETE: 409,
  REQUEST_IN_PROGRESS: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA: 415,
  UNSUPPORTED_CONTENT_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  IMAGE_DELIVERY_RATE_LIMITED: 429,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const satisfies Record<string, ContentfulStatusCode>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Values that a change would lose, and that the caller may allow to be lost. */
export interface Loss {
  /** The name that allows it, in `drop`, `allowDrop` or `dropLocales` of the request. */
  name: string;
  /** The fact without advice. */
  fact: string;
}

export interface ErrorDetail {
  /** The place of the fault: a field name, `fields[2].name`, a query parameter. */
  path: string;
  message: string;
  /** Is there where the fault is a loss of values. */
  loss?: Loss;
}

export interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: ErrorDetail[]; requestId: string };
}

/**
 * Returns well-formed text of at most `maxCharacters`, so that an answer does not repeat a megabyte that the caller
 * sent.
 */
const bounded = (text: string, maxCharacters: number): string =>
  (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text).toWellFormed();

const boundedDetail = ({ path, message, loss }: ErrorDetail): ErrorDetail => ({
  path: bounded(path, ERRORS.pathMaxCharacters),
  message: bounded(message, ERRORS.detailMaxCharacters),
  ...(loss && {
    loss: {
      name: bounded(loss.name, ERRORS.pathMaxCharacters),
      fact: bounded(loss.fact, ERRORS.detailMaxCharacters),
    },
  }),
});

/** A failure that is reported to the caller as it is. Details and texts are cut to the limits of `ERRORS`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetail[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(bounded(message, ERRORS.messageMaxCharacters), { cause: options.cause });
    this.name = "ApiError";
    this.code = code;
    this.details = options.details?.slice(0, ERRORS.detailsMax).map(boundedDetail);
    this.headers = options.headers ?? {};
  }

  get status(): ContentfulStatusCode {
    return ERROR_STATUS[this.code];
  }
}

export const notFound = (what: string): ApiError => new ApiError("NOT_FOUND", `${what} does not exist.`);

export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const { code, message, details } = error;
  return { error: { code, message, ...(details && { details }), requestId } };
}
