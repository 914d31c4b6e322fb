import { gather } from './handler.js';

/** What is needed of a request of Node's http, Express or Fastify's raw one. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes, where a middleware read them before. */
  readonly body?: unknown;
}

/** What is needed of the response beside it. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(): unknown;
}

export type NodeHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;

/**
 * nodeHandler lets Node's http call what webhook made: `createServer(nodeHandler(webhook(…)))`. It needs the raw body: a
 * middleware that parses JSON must not come before it, one that leaves a Buffer or text in `request.body` may.
 */
export function nodeHandler(handler: (request: Request) => Promise<Response>): NodeHandler {
  return async (request, response) => {
    let answered: { status: number; headers?: Headers };
    try {
      answered = await answerOf(handler, request);
    } catch (error) {
      console.error('The webhook could not be handled:', error);
      answered = { status: 500 };
    }
    response.statusCode = answered.status;
    answered.headers?.forEach((value, name) => response.setHeader(name, value));
    response.end();
  };
}

async function answerOf(
  handler: (request: Request) => Promise<Response>,
  request: NodeRequest,
): Promise<{ status: number; headers?: Headers }> {
  const method = request.method ?? 'POST';
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !name.startsWith(':')) headers.set(name, typeof value === 'string' ? value : value.join(', '));
  }
  const init: RequestInit = { method, headers };
  if (method !== 'GET' && method !== 'HEAD') {
    const body = await rawBody(request);
    if (!body) return { status: 413 };
    init.body = body;
  }
  return handler(new Request('http://localhost/', init)); // where it was sent to does not matter any more
}

async function rawBody(request: NodeRequest): Promise<string | Uint8Array<ArrayBuffer> | undefined> {
  const read = request.body;
  if (read === undefined) return gather(request);
  if (typeof read === 'string') return read;
  if (read instanceof Uint8Array) return new Uint8Array(read);
  throw new TypeError('the body was parsed before the webhook saw it; its signature is over the raw bytes');
}
