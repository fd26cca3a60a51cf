/** A refusal in the wire's terms (A4). */
export interface ApiError {
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
  readonly details?: { readonly error_code: string } | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The edge's 413 has no outer `type`. */
  readonly fromEdge?: true;
}

export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "request_too_large"
  | "rate_limit_error"
  | "timeout_error"
  | "overloaded_error"
  | "api_error";

export function invalid(message: string, errorCode?: string): ApiError {
  const error: ApiError = { status: 400, type: "invalid_request_error", message };
  return errorCode === undefined ? error : { ...error, details: { error_code: errorCode } };
}

export function notFound(message: string): ApiError {
  return { status: 404, type: "not_found_error", message };
}

/** The JSON body of a refusal. */
export function errorBody(error: ApiError, requestId: string | null): Readonly<Record<string, unknown>> {
  const inner = {
    ...(error.details === undefined ? {} : { details: error.details }),
    type: error.type,
    message: error.message,
  };
  if (error.fromEdge === true) return { error: inner };
  return { type: "error", error: inner, request_id: requestId };
}
