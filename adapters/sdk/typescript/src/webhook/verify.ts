import { WebhookVerificationError } from './error.js';
import { WEBHOOK_OPERATIONS, type WebhookEvent } from './event.js';

/** One secret, or several while one is being replaced: a delivery signed with any of them is good. */
export type WebhookSecrets = string | readonly string[];

/** The headers of a request, as Fetch or Node's http have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of a delivery may be from ours, in seconds, 300 when it is left out. */
  readonly tolerance?: number;
  /** What time it is, in milliseconds; Date.now when it is left out. */
  readonly now?: () => number;
}

/** The seconds that Standard Webhooks allow between two clocks. */
export const DEFAULT_TOLERANCE = 300;

const prefix = 'whsec_';
const minKey = 24; // bytes
const maxKey = 64;
const version = 'v1,';

/**
 * verify checks a delivery and answers what it tells. The payload must be the very bytes that arrived: JSON that was parsed
 * and written again has another signature.
 *
 * Rejects with a {@link WebhookVerificationError} otherwise.
 */
export async function verify(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: WebhookSecrets,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  return verifyWith(keysOf(secrets), payload, headers, options);
}

/** keysOf reads secrets as they are shown, once. Throws `webhook_secret_invalid`. */
export function keysOf(secrets: WebhookSecrets): Uint8Array<ArrayBuffer>[] {
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  if (!Array.isArray(all) || all.length === 0) throw new WebhookVerificationError('webhook_secret_invalid');
  return all.map((secret: unknown) => {
    const key = typeof secret === 'string' && secret.startsWith(prefix) ? fromBase64(secret.slice(prefix.length)) : undefined;
    if (!key || key.length < minKey || key.length > maxKey) throw new WebhookVerificationError('webhook_secret_invalid');
    return key;
  });
}

/** verifyWith is verify with secrets that were read before. */
export async function verifyWith(
  keys: readonly Uint8Array<ArrayBuffer>[],
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  options: VerifyOptions,
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signature = header(headers, 'webhook-signature');
  if (!id || !timestamp || !signature) throw new WebhookVerificationError('webhook_headers_missing');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook_timestamp_invalid');
  const signedAt = Number(timestamp) * 1000;
  const now = (options.now ?? Date.now)();
  if (!(Math.abs(now - signedAt) <= (options.tolerance ?? DEFAULT_TOLERANCE) * 1000)) {
    throw new WebhookVerificationError('webhook_timestamp_out_of_tolerance');
  }
  const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
  if (!(await signed(keys, `${id}.${timestamp}.`, body, signature))) throw new WebhookVerificationError('webhook_signature_mismatch');
  const sequence = Number(header(headers, 'webhook-sequence') ?? '');
  return {
    ...told(body),
    id,
    timestamp: new Date(signedAt),
    sequence: sequence > 0 ? sequence : undefined,
    test: header(headers, 'webhook-test') === 'true',
  } as WebhookEvent;
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return typeof value === 'string' ? value : (value as readonly string[] | undefined)?.[0];
  }
  return undefined;
}

// signed tells whether one of the signatures was made with one of the keys. All are compared, each to its end, so that the
// time it takes tells nothing about them.
async function signed(keys: readonly Uint8Array<ArrayBuffer>[], head: string, body: Uint8Array, signatures: string): Promise<boolean> {
  const begin = new TextEncoder().encode(head);
  const bytes = new Uint8Array(begin.length + body.length);
  bytes.set(begin);
  bytes.set(body, begin.length);
  const given = signatures
    .split(' ')
    .filter((s) => s.startsWith(version))
    .map((s) => fromBase64(s.slice(version.length)));
  let good = false;
  for (const raw of keys) {
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const own = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes));
    for (const one of given) good = (one !== undefined && same(own, one)) || good;
  }
  return good;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}

function told(body: Uint8Array): object {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new WebhookVerificationError('webhook_payload_invalid');
  }
  if (
    !isObject(event) ||
    typeof event.collection !== 'string' ||
    !isOperation(event.operation) ||
    !isObject(event.data) ||
    (event.operation !== 'delete' && !isObject(event.doc))
  ) {
    throw new WebhookVerificationError('webhook_payload_invalid');
  }
  return event;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOperation(value: unknown): boolean {
  return WEBHOOK_OPERATIONS.some((operation) => operation === value);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return undefined;
  }
}
