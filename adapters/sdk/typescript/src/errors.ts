/** One input that the shop refuses, and why. */
export interface FieldError {
  /** Path of the input, such as `items.0.quantity`. */
  field: string;
  message: string;
}

/** What is known about a failure. */
export interface FailureFacts {
  reason: string;
  retryable: boolean;
  status: number;
  retryAfter?: number;
  requestId?: string;
  code?: string;
  fields?: FieldError[];
  data?: Record<string, unknown>;
}

/** Any failure of this package. Its message names no token, no key and nothing that was sent. */
export class CommerceSDKError extends Error {
  override readonly name = 'CommerceSDKError';

  /** What went wrong, in the words of the API (`cart_revision_conflict`), or one of this package's own: see LocalReason. */
  declare readonly reason: string;

  /** Whether the same call may succeed later as it is. A change is then repeated with the same key. */
  declare readonly retryable: boolean;

  /** HTTP status; 0 when nothing was answered. */
  declare readonly status: number;

  /** Seconds to wait before the next try, when the shop says so. */
  declare readonly retryAfter?: number;

  /** What the shop's logs know this call by. */
  declare readonly requestId?: string;

  /** Class of the refusal, such as `CONFLICT`. */
  declare readonly code?: string;

  /** The inputs that were refused, one by one. */
  declare readonly fields?: FieldError[];

  /** Facts of the refusal, such as `currentRevision`. */
  declare readonly data?: Record<string, unknown>;

  constructor(message: string, facts: FailureFacts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, facts);
  }
}

/** The reasons that this package gives of its own accord. All others come from the shop. */
export type LocalReason =
  | 'network_error'
  | 'timeout'
  | 'aborted'
  | 'invalid_response'
  | 'invalid_request'
  | 'invalid_configuration'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'pending_store_failed';

/** local is a failure without an answer of the shop. */
export function local(reason: LocalReason, message: string, cause?: unknown): CommerceSDKError {
  const retryable = reason === 'network_error' || reason === 'timeout' || reason === 'idempotency_in_progress';
  return new CommerceSDKError(message, { reason, retryable, status: 0 }, cause);
}

/** The statuses that pass by themselves. */
const passing = [429, 502, 503, 504];

/** refusal reads the error body of an answer; any other body is not the shop's, such as that of a proxy on the way. */
export function refusal(status: number, headers: Headers, body: any): CommerceSDKError {
  const first = body?.errors?.[0];
  const said = first?.extensions;
  const facts: FailureFacts = {
    reason: said?.reason ?? 'invalid_response',
    retryable: said ? said.retryable === true : passing.includes(status),
    status,
  };
  const after = said?.retryAfter ?? seconds(headers.get('retry-after'));
  const id = headers.get('x-request-id') ?? said?.requestId;
  if (after !== undefined) facts.retryAfter = after;
  if (id) facts.requestId = id;
  if (said?.code) facts.code = said.code;
  if (Array.isArray(first?.data)) facts.fields = first.data;
  else if (first?.data) facts.data = first.data;
  return new CommerceSDKError(said ? first.message : `The shop could not be understood (status ${status}).`, facts);
}

/** ended says that the shop takes a customer's token no more: it expired, or the login was ended elsewhere. */
export function ended(e: unknown): boolean {
  return e instanceof CommerceSDKError && (e.status === 419 || e.reason === 'unauthenticated');
}

/** unproven says that the person has to prove again who they are, and that nothing was done. */
export function unproven(e: unknown): boolean {
  return e instanceof CommerceSDKError && e.reason === 'reauthentication_required';
}

/** seconds reads Retry-After, a number or a date. */
function seconds(text: string | null): number | undefined {
  if (!text) return undefined;
  const wait = Number(text);
  if (!Number.isNaN(wait)) return wait;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** passes tells whether the call is worth another try right now, without asking the caller. */
export function passes(e: CommerceSDKError): boolean {
  return e.reason === 'network_error' || (e.retryable && passing.includes(e.status) && !((e.retryAfter ?? 0) > 30));
}
