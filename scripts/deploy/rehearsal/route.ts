/** How one route of the API is described, and the envelope of its answers. */
import type { Account } from "./account.ts";

export interface ApiRequest {
  /** The values of `:name` in the path. */
  params: Record<string, string>;
  query: URLSearchParams;
  /** The body. */
  text: () => string;
  /** The address of the API. */
  baseUrl: string;
  /** The body, if it is JSON. */
  json: () => Record<string, unknown>;
  /** The body, if it is a form. */
  form: () => Promise<FormData>;
}

export interface ApiResponse {
  status: number;
  headers?: Record<string, string>;
  body: { success: boolean; result: unknown; errors: { code: number; message: string }[]; messages: [] };
}

export type Handler = (account: Account, request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** `GET /d1/database/:id`, the path being that below the account. */
export type Routes = Record<string, Handler>;

export const answer = (result: unknown, status = 200): ApiResponse => ({
  status,
  body: { success: true, result, errors: [], messages: [] },
});

export const refuse = (status: number, code: number, message: string): ApiResponse => ({
  status,
  body: { success: false, result: null, errors: [{ code, message }], messages: [] },
});
