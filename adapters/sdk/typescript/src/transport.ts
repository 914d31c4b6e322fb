import { type CommerceSDKError, local, passes, refusal } from './errors.js';

/** How often a call that may be repeated is sent, and how long is waited in between. */
export interface Retry {
  /** Times it is sent in all; 4 unless said otherwise. */
  attempts?: number;
  /** Milliseconds of the first wait at most, doubled each time; 250. */
  baseDelay?: number;
  /** Milliseconds of any wait at most, unless the shop asks for more; 8000. */
  maxDelay?: number;
}

/** Where the shop is and how to reach it. */
export interface Connection {
  /** Address of the shop, without `/api`. */
  baseUrl: string;
  /** Milliseconds that one try may take; 30000. */
  timeout?: number;
  retry?: Retry;
  /** Used in place of the global fetch. */
  fetch?: typeof fetch;
  /**
   * What the shop tells people in, such as the messages of its refusals: asked before each call, a tag such as `ko` or a whole
   * Accept-Language. Unless said otherwise browsers send their own, and other programs get English.
   */
  language?: () => string;
}

/** One call as it is sent. */
export interface Wire {
  method: string;
  /** With the query, from `/api` on. */
  path: string;
  body: string | FormData | null;
  headers: Record<string, string>;
  /** The answer is a file and no JSON: its bytes are what is answered. */
  file?: boolean;
}

/** Manner of one call. */
export interface Manner {
  signal?: AbortSignal | undefined;
  timeout?: number | undefined;
  /** Only a safe call, or one with a key, may be sent twice. */
  repeat: boolean;
  /** Hears of every try that was sent and failed, the last one too. */
  failed?: (e: CommerceSDKError) => void;
}

/** Whether the browser's cookies of the shop's address go with a call: an operator's login is one, a shopper has none. */
export type Cookies = 'omit' | 'same-origin';

/** Sends a call until it is answered, refused or given up. Errors: CommerceSDKError. */
export type Send = (wire: Wire, manner: Manner) => Promise<any>;

export function transport(to: Connection, cookies: Cookies = 'omit'): Send {
  const root = to.baseUrl.replace(/\/+$/, '').replace(/\/api$/, '');
  const { attempts = 4, baseDelay = 250, maxDelay = 8000 } = to.retry ?? {};

  /** pause waits a random part of a time that doubles, on top of what the shop asks for. */
  const pause = (tried: number, e: CommerceSDKError, signal?: AbortSignal) => {
    const spread = Math.random() * Math.min(maxDelay, baseDelay * 2 ** (tried - 1));
    return wait(e.retryAfter === undefined ? spread : e.retryAfter * 1000 + spread / 4, signal);
  };

  return async (wire, manner) => {
    for (let tried = 1; ; tried++) {
      if (manner.signal?.aborted) throw gaveUp();
      try {
        return await once({ given: to.fetch, root, cookies, language: to.language?.() }, wire, manner.timeout ?? to.timeout ?? 30_000, manner.signal);
      } catch (thrown) {
        const e = thrown as CommerceSDKError;
        manner.failed?.(e);
        if (!manner.repeat || tried >= attempts || !passes(e)) throw e;
        await pause(tried, e, manner.signal);
      }
    }
  };
}

/** What a timer can count; more than that would end at once. */
const longest = 2 ** 31 - 1;

/** How a try goes out. */
interface Way {
  given: typeof fetch | undefined;
  root: string;
  cookies: Cookies;
  language: string | undefined;
}

/** once is one try: the answer's body, or a failure. */
async function once({ given, root, cookies, language }: Way, wire: Wire, limit: number, signal?: AbortSignal) {
  const stop = new AbortController();
  const aborted = () => stop.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop.abort();
  }, Math.min(limit, longest));
  signal?.addEventListener('abort', aborted);
  let response: Response;
  let text: string;
  try {
    // A redirect would carry keys and tokens to another address. The cookie of an operator who is signed in to the shop's
    // console must not speak for the shopper; where there are no cookies the option may be unknown, and refused.
    const { method, body } = wire;
    const headers = language === undefined ? wire.headers : { ...wire.headers, 'Accept-Language': language };
    const init: RequestInit = { method, body, headers, redirect: 'manual', signal: stop.signal };
    if (typeof location === 'object') init.credentials = cookies;
    response = await (given ?? fetch)(root + wire.path, init);
    if (wire.file && response.ok && !response.headers.get('content-type')?.startsWith('text/html')) {
      clearTimeout(timer); // how long the rest takes depends on its size
      return await response.blob();
    }
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw gaveUp(cause);
    if (late) throw local('timeout', 'The shop did not answer in time.', cause);
    throw local('network_error', 'The shop could not be reached, or the connection broke.', cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
  }
  return read(response, text);
}

/** read is the body of an answer that says yes; what is not found is an answer too when it says so itself. */
function read(response: Response, text: string) {
  let body: any;
  try {
    body = JSON.parse(text);
  } catch {
    // Told below: nothing but JSON is the shop's.
  }
  if (typeof body !== 'object') body = null;
  if (body && (response.ok || (response.status === 404 && body.found === false))) return body;
  throw refusal(response.status, response.headers, body);
}

function gaveUp(cause?: unknown): CommerceSDKError {
  return local('aborted', 'The call was aborted.', cause);
}

/** wait is a pause. Errors: `aborted`. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(gaveUp());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
