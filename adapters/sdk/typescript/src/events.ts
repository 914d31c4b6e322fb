import { CommerceSDKError, local, refusal } from './errors.js';
import { type Connection, wait } from './transport.js';

/** What is told of the stream besides events. */
export interface StreamState {
  /** Whether the shop can be heard right now. */
  connected: boolean;
  /** Number of the last event before those that are told now, of a connection that begins: going on after it misses none. */
  position?: number;
}

interface Options {
  signal?: AbortSignal;
  /** Hears of the connection, each time that it begins and ends. */
  state?: (state: StreamState) => void;
}

/** Milliseconds without a word after which a connection counts as broken: the shop says something every 15 seconds. */
const silence = 40_000;

/** Milliseconds of the first pause before the next connection, and of the longest. */
const pauses = { first: 500, longest: 15_000 };

/**
 * eventStream is the events of the shop from now on, or from after the number `after`, none lost and none twice as long as it
 * runs: a connection that breaks is begun again where it ended. Errors: a refusal ends it, such as of a login that has ended.
 */
export async function* eventStream(to: Connection, credentials: () => Record<string, string>, input: object = {}, options: Options = {}) {
  const { after, collection } = input as { after?: number; collection?: string };
  const { signal, state } = options;
  let last = after;
  for (let pause = pauses.first; ; pause = Math.min(2 * pause, pauses.longest)) {
    try {
      for await (const frame of connection(to, credentials(), { last, collection }, signal)) {
        pause = pauses.first;
        if (frame.id !== undefined) last = frame.id;
        if (frame.first) state?.(last === undefined ? { connected: true } : { connected: true, position: last });
        if (frame.data !== undefined) yield JSON.parse(frame.data);
      }
    } catch (e) {
      if (signal?.aborted) throw local('aborted', 'The call was aborted.', e);
      if (e instanceof CommerceSDKError && !e.retryable) throw e;
    }
    state?.({ connected: false });
    await wait(pause, signal);
  }
}

interface Frame {
  /** The first of its connection. */
  first: boolean;
  id?: number;
  data?: string;
}

/** connection is the frames of one connection, until it ends. */
async function* connection(
  to: Connection,
  headers: Record<string, string>,
  { last, collection }: { last: number | undefined; collection: string | undefined },
  signal?: AbortSignal,
): AsyncGenerator<Frame> {
  const query = new URLSearchParams();
  if (last !== undefined) query.set('after', String(last));
  if (collection) query.set('collection', collection);
  const stop = new AbortController();
  const aborted = () => stop.abort();
  signal?.addEventListener('abort', aborted);
  let timer = setTimeout(aborted, silence);
  try {
    const root = to.baseUrl.replace(/\/+$/, '');
    const language = to.language && { 'Accept-Language': to.language() };
    const response = await (to.fetch ?? fetch)(`${root}/api/events/stream?${query}`, {
      headers: { ...headers, ...language, Accept: 'text/event-stream' }, redirect: 'manual', signal: stop.signal, credentials: 'same-origin', cache: 'no-store',
    });
    if (!response.ok || !response.body) throw refusal(response.status, response.headers, await response.json().catch(() => null));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let first = true; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(aborted, silence);
      text += value;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        yield frameOf(text.slice(0, end), first);
        text = text.slice(end + 2);
        first = false;
      }
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
    stop.abort();
  }
}

function frameOf(text: string, first: boolean): Frame {
  const frame: Frame = { first };
  for (const line of text.split('\n')) {
    if (line.startsWith('id: ')) frame.id = Number(line.slice(4));
    if (line.startsWith('data: ')) frame.data = line.slice(6);
  }
  return frame;
}
