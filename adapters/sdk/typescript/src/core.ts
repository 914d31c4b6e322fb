import { local } from './errors.js';
import { type Change, journal, type MutationOptions } from './pending.js';
import { records } from './records.js';
import type { KeyValueStore, MaybePromise } from './store.js';
import type { Send } from './transport.js';

/** An operation as a table has it: `METHOD path`, with the inputs that stand in the path in braces. */
export type Route = `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} ${string}`;

/** What all clients are made of. */
export interface Parts {
  /** Headers that say who calls, at the time of a call. */
  credentials(): Record<string, string>;
  send: Send;
  /** Where pending operations are, those of other callers elsewhere. */
  pending: KeyValueStore;
  /** Whose operation a change is: it is sent again for the same one only. */
  owner?(): MaybePromise<string | undefined>;
  /** Carts and checkouts, which operators have none of. */
  shopping?: Shopping;
}

/** What carts and checkouts need beside the rest. */
export interface Shopping {
  /** Looks at the input of a call, takes out what is not sent, and names the right to a cart or a checkout that it needs. */
  prepare(operation: string, route: Route, input: Input): Promise<string | undefined>;
  /** What a change sets: the cart that it changes, the checkout of a cart, or the payment of a checkout. */
  aim(operation: string, route: Route, input: Input): string | undefined;
  /** Headers that carry a right. */
  rights(holder: string | undefined): Promise<Record<string, string>>;
  /** Keeps what an answer brings, and makes it what the helper gives. */
  finish(change: Change, body: any): Promise<any>;
}

export type Input = Record<string, any>;

/** A call: name of the helper, route, input. safe: a POST that changes nothing. */
export type Call = (name: string, route: Route, input?: object, options?: MutationOptions, safe?: boolean) => Promise<any>;

export function core(parts: Parts) {
  const { send, shopping } = parts;
  const kept = records(parts.pending);
  const headers = (change: Change, key?: string) => headersOf(parts, change, key);
  const owner = async () => parts.owner?.();
  const finish = async (change: Change, body: any) => (shopping ? shopping.finish(change, body) : body);
  const { run, ...pending } = journal({ records: kept, send, headers, finish, owner });

  const call: Call = async (name, route, input, options = {}, safe = false) => {
    const change = await plan(name, route, plain(input), shopping);
    if (!safe && change.method !== 'GET') return run(change, options);
    const { signal, timeout } = options;
    const wire = { ...change, headers: await headers(change) };
    return finish(change, await send(wire, { signal, timeout, repeat: true }));
  };

  /** file asks for what is answered by a file. */
  const file: Call = async (name, route, input, options = {}) => {
    const change = await plan(name, route, plain(input), shopping);
    const { signal, timeout } = options;
    return send({ ...change, headers: { ...(await headers(change)), Accept: '*/*' }, file: true }, { signal, timeout, repeat: true });
  };

  return { call, file, pending, clear: kept.clear };
}

/** headersOf is those of a call that goes out now. */
export async function headersOf({ credentials, shopping }: Pick<Parts, 'credentials' | 'shopping'>, { body, holder }: Change, key?: string) {
  const out: Record<string, string> = { ...credentials(), Accept: 'application/json' };
  if (body !== null) out['Content-Type'] = 'application/json';
  if (key !== undefined) out['Idempotency-Key'] = key;
  Object.assign(out, await shopping?.rights(holder));
  for (const value of Object.values(out)) {
    // The platform would name the value when it refuses it.
    if (/[^ -~]/.test(value)) throw local('invalid_request', 'A key or token has characters that no header can carry.');
  }
  return out;
}

/** plain is input as it goes out: what JSON has no word for is told by its own text, or left out. Errors: `invalid_request`. */
function plain(input: object = {}): Input {
  try {
    return JSON.parse(JSON.stringify(input));
  } catch (cause) {
    throw local('invalid_request', 'The input cannot be written as JSON.', cause);
  }
}

/** plan makes an operation of a helper's name, route and input. */
async function plan(operation: string, route: Route, input: Input, shopping: Shopping | undefined) {
  const [method = '', template = ''] = route.split(' ');
  const holder = await shopping?.prepare(operation, route, input);
  const aimed = shopping?.aim(operation, route, input);
  let path = template.replace(/{(\w+)}/g, (_, name: string) => {
    const value = input[name];
    delete input[name];
    // Dots would lead to another address.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw local('invalid_request', `The input needs ${name}.`);
    return encodeURIComponent(value);
  });
  const { expectedRevision, sourceCartToken: _, ...compared } = input;
  // A checkout of another state of the cart is another checkout.
  if (input.cartId) compared.expectedRevision = expectedRevision;
  const change: Change = { operation, method, path, body: null, match: JSON.stringify(sorted([operation, path, compared])) };
  const target = aimed ?? (method === 'PATCH' || operation === 'orders.transition' ? path : undefined);
  if (target) change.target = target;
  if (holder) change.holder = holder;
  if (method === 'GET' || method === 'DELETE') {
    const search = query(input);
    if (search) path += (path.includes('?') ? '&' : '?') + search;
    return { ...change, path };
  }
  return { ...change, body: JSON.stringify(input) };
}

/** query is input as it stands in an address: trees as JSON, `select` in brackets, of a list each value by itself. */
function query(input: Input): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (name === 'select' && value) for (const [field, shown] of Object.entries(value)) out.append(`select[${field}]`, String(shown));
    else if (Array.isArray(value)) for (const one of value) out.append(name, String(one));
    else if (value !== null) out.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return out.toString().replaceAll('+', '%20');
}

/** sorted is a tree with the members of its objects in order, so that equal inputs have equal texts. */
function sorted(tree: any): any {
  if (Array.isArray(tree)) return tree.map(sorted);
  if (!tree || typeof tree !== 'object') return tree;
  return Object.fromEntries(Object.keys(tree).sort().map((name) => [name, sorted(tree[name])]));
}
