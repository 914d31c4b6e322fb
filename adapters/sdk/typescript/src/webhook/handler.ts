import { WebhookVerificationError } from './error.js';
import type { WebhookCollection, WebhookCreate, WebhookDelete, WebhookEvent, WebhookUpdate } from './event.js';
import { keysOf, type VerifyOptions, verifyWith, type WebhookSecrets } from './verify.js';

/** The most a delivery may hold, in bytes; what is larger is answered with 413 before it is read to its end. */
export const MAX_DELIVERY_BYTES = 8 * 1024 * 1024;

/** EventHandler does what there is to do about an event. If it throws, or rejects, the event is delivered again. */
export type EventHandler<E> = (event: E) => unknown;

/** What is done about the events of one collection: by operation, or all in one. What is not named needs nothing done. */
export type CollectionHandlers<C extends WebhookCollection> =
  | EventHandler<WebhookEvent<C>>
  | {
      readonly create?: EventHandler<WebhookCreate<C>>;
      readonly update?: EventHandler<WebhookUpdate<C>>;
      readonly delete?: EventHandler<WebhookDelete<C>>;
    };

/** What is done about all events: by collection, or all in one. */
export type WebhookHandlers = EventHandler<WebhookEvent> | { readonly [C in WebhookCollection]?: CollectionHandlers<C> };

export interface WebhookOptions extends VerifyOptions {
  /** The secret of the webhook endpoint, or several while one is being replaced. */
  readonly secret: WebhookSecrets;
  /** Hears of what a handler threw, beside the 500 that is answered; console.error when it is left out. */
  readonly onError?: (error: unknown, event: WebhookEvent) => void;
}

/**
 * webhook makes the handler of a route that deliveries are posted to, for every framework that speaks Fetch; nodeHandler
 * makes one for Node's http of it. It answers 200 when the handler is done, or there is none for the event; 500 when the
 * handler threw, so that the event is delivered again; and 400 when the delivery is not to be trusted. No answer says more.
 *
 * Deliveries are given up after 15 seconds: put what takes time into a queue, and be done.
 *
 * Throws a {@link WebhookVerificationError} at once if a secret is none.
 */
export function webhook(options: WebhookOptions, handlers: WebhookHandlers): (request: Request) => Promise<Response> {
  const keys = keysOf(options.secret);
  return async (request) => {
    if (request.method !== 'POST') return answer(405, { allow: 'POST' });
    const body = await gather(chunksOf(request.body));
    if (!body) return answer(413);
    let event: WebhookEvent;
    try {
      event = await verifyWith(keys, body, request.headers, options);
    } catch (error) {
      if (error instanceof WebhookVerificationError) return answer(400);
      throw error;
    }
    try {
      await handlerOf(handlers, event)?.(event);
    } catch (error) {
      tell(error, event, options.onError);
      return answer(500);
    }
    return answer(200);
  };
}

function answer(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

// Whoever is told may fail, too; that must not keep the shop from its answer.
function tell(error: unknown, event: WebhookEvent, onError: WebhookOptions['onError']): void {
  try {
    (onError ?? report)(error, event);
  } catch (other) {
    report(error, event);
    report(other, event);
  }
}

function report(error: unknown, event: WebhookEvent): void {
  console.error(`The webhook handler failed at ${event.operation} of ${event.collection} (${event.id}):`, error);
}

// A collection that is newer than these types is in the map like others, or is not.
function handlerOf(handlers: WebhookHandlers, event: WebhookEvent): EventHandler<WebhookEvent> | undefined {
  if (typeof handlers === 'function') return handlers;
  const ofCollection = own(handlers, event.collection);
  if (typeof ofCollection === 'function') return ofCollection as EventHandler<WebhookEvent>;
  return own(ofCollection, event.operation) as EventHandler<WebhookEvent> | undefined;
}

// own reads a member that somebody wrote there: a name in a delivery must not reach what all objects have.
function own(of: object | undefined, name: string): object | undefined {
  return of && Object.hasOwn(of, name) ? (of as Record<string, object>)[name] : undefined;
}

async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!stream) return;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** gather joins chunks, or answers undefined when they are more than a delivery may hold. */
export async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_DELIVERY_BYTES) return undefined;
    all.push(chunk);
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const chunk of all) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}
