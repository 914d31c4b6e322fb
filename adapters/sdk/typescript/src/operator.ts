import { reader, writer } from './collections.js';
import { core, type Route } from './core.js';
import { ended, local, unproven } from './errors.js';
import { eventStream } from './events.js';
import { allRows, starter, waiter } from './jobs.js';
import { uploader } from './media.js';
import type { MutationOptions } from './pending.js';
import { type KeyValueStore, memoryStore, within } from './store.js';
import { type Connection, type Send, transport } from './transport.js';
import type { OperatorClient } from './types.js';

export { CommerceSDKError, type FailureFacts, type FieldError, type LocalReason } from './errors.js';
export { createCommerceIdempotencyKey } from './key.js';
export type { MutationOptions, Pending, PendingOperation, Resumed } from './pending.js';
export { type KeyValueStore, type MaybePromise, memoryStore } from './store.js';
export type { Connection, Retry } from './transport.js';
export type * from './types.js';

/** Who works where: the shop and the environment that calls are about. */
export interface Workplace {
  /** Id of the user who is signed in; operations that are pending are sent again for the same one only. */
  user?: string | undefined;
  /** Id of the acting shop; the user's own when left out. */
  tenant?: string | undefined;
  /** `live` unless said otherwise. */
  environment?: 'live' | 'test' | undefined;
}

/** What an operator client is made with. */
export interface OperatorConfig extends Connection {
  /** Where the operator is at work, asked before each call. */
  workplace(): Workplace;
  /** `console` for the operators' console, which the log of events tells apart. */
  via?: 'console';
  /** Hears that the shop does not take the login any more. */
  onSignedOut?: () => void;
  /**
   * Hears that a call takes a session whose person has just proven who they are, has them do it (`POST /api/users/reauthenticate`), and
   * answers whether they did: then the same call is sent again, under the same key. Without it, and after false, the call fails.
   */
  onUnproven?: () => Promise<boolean>;
  /**
   * Where changes are kept until their outcome is known; memory unless said otherwise, which ends with the page. They may contain
   * what is told nobody, such as the credentials of a provider, so take no store that others can read.
   */
  pending?: KeyValueStore;
}

/**
 * A client for the people who run the shop, signed in by the cookie of the page's own address: it may do what their role may. For
 * pages that the shop itself serves. Errors: CommerceSDKError.
 */
export function createOperatorClient(config: OperatorConfig): OperatorClient {
  const { workplace, via, onSignedOut, onUnproven } = config;
  const once = transport(config, 'same-origin');
  const sent: Send = async (wire, manner) => {
    try {
      return await once(wire, manner);
    } catch (e) {
      if (!unproven(e) || !(await onUnproven?.())) throw e;
      return once(wire, manner);
    }
  };
  const send: Send = async (wire, manner) => {
    try {
      return await sent(wire, manner);
    } catch (e) {
      if (ended(e)) onSignedOut?.();
      throw e;
    }
  };
  const credentials = () => {
    const { tenant, environment } = workplace();
    return { ...(via && { 'X-Via': via }), ...(tenant && { 'X-Tenant-Id': tenant }), ...(environment && { 'X-Environment': environment }) };
  };
  const owner = () => {
    const { user = '', tenant = '', environment = '' } = workplace();
    return `${user} ${tenant} ${environment}`;
  };
  const kept = within(config.pending ?? memoryStore(10_000), 'pending:operator:');
  const { call, file, pending } = core({ credentials, owner, send, pending: kept });
  const named = (route: string) => route.split(' ')[1]?.replace('/api/', '') ?? route;
  const uploadTo = (path: string) => uploader(send, credentials, path);

  /** ask sends what is not to be written down and not repeated: a login, a new password, a code. */
  const ask = async (route: string, input: object = {}, { signal, timeout }: MutationOptions = {}) => {
    const [method = '', path = ''] = route.split(' ');
    if (/[{}]/.test(path)) throw local('invalid_request', 'Only calls without names in their path are asked.');
    const body = method === 'GET' ? null : JSON.stringify(input);
    const headers = { ...credentials(), Accept: 'application/json', ...(body !== null && { 'Content-Type': 'application/json' }) };
    // A wrong password is no login that has ended.
    return sent({ method, path, body, headers }, { signal, timeout, repeat: method === 'GET' });
  };

  const rows = (input?: object, options?: object) => call('imports.rows', 'GET /api/imports/{importId}/rows', input, options);
  const upload = uploadTo('/api/media');
  return {
    collections: { from: (slug: string) => ({ ...reader(call, slug), ...writer(call, slug), upload }) as any },
    call: (route: string, input?: object, options?: object) => call(named(route), route as Route, input, options),
    preview: (route: string, input?: object, options?: object) => call(named(route), route as Route, input, options, true),
    ask,
    file: (route: string, input?: object, options?: object) => file(named(route), route as Route, input, options),
    upload: (path: string, input: any, options?: object) => uploadTo(path)(input, options),
    events: (input?: object, options?: { signal?: AbortSignal }) => eventStream(config, credentials, input, options),
    jobs: {
      waitForExport: waiter(call, 'exports'),
      waitForImport: waiter(call, 'imports'),
      startImport: starter(uploadTo('/api/imports')),
      allRows: allRows(rows as any),
    },
    pending,
  } as any;
}
