import type { operations, Routes } from '../generated/api.js';
import type { StreamState } from '../events.js';
import type { MutationOptions, Pending } from '../pending.js';
import type { Answer, Body, CallOptions, Operation } from './api.js';
import type { Collection, Slug } from './collections.js';
import type { Exports, Imports } from './jobs.js';

export type { Routes, StreamState };

/** An operation of the shop's people, by its method and path: `POST /api/orders/{id}/cancel`. */
export type OperatorRoute = keyof Routes;

type OperationOf<R extends OperatorRoute> = Routes[R] & Operation;
type Names<R extends string> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Asked<O extends Operation> = operations[O]['parameters'] extends { query?: infer Q } ? (Q extends object ? Q : unknown) : unknown;
type Told<O extends Operation> = [Body<O>] extends [never] ? unknown : Body<O>;

/** What an operation takes: the names of its path, its query and its body, side by side. */
export type OperatorInput<R extends OperatorRoute> = { [N in Names<R>]: string } & Asked<OperationOf<R>> & Told<OperationOf<R>>;

/** What an operation answers. */
export type OperatorAnswer<R extends OperatorRoute> = Answer<OperationOf<R>>;

/** An entry of the log of events. */
export type ShopEvent = Answer<'events'>['docs'][number];

/** A client for the people who run the shop. */
export interface OperatorClient {
  /** Reads and writes records, as far as the operator's role may. */
  collections: { from<S extends Slug>(slug: S): Collection<S> };
  /** Carries out an operation: once, however often it must be sent. */
  call<R extends OperatorRoute>(route: R, input?: OperatorInput<R>, options?: MutationOptions): Promise<OperatorAnswer<R>>;
  /** Asks by POST for what changes nothing, such as a preview. It has no key. */
  preview<R extends OperatorRoute>(route: R, input?: OperatorInput<R>, options?: CallOptions): Promise<OperatorAnswer<R>>;
  /** Sends a password or a code: one try, nowhere written down. */
  ask<R extends OperatorRoute>(route: R, input?: OperatorInput<R>, options?: CallOptions): Promise<OperatorAnswer<R>>;
  /** Asks for a file. */
  file(route: `GET /api/${string}`, input?: object, options?: CallOptions): Promise<Blob>;
  /** Sends a file, with the members that stand beside it. */
  upload(path: `/api/${string}`, input: { file: Blob; filename?: string; [member: string]: unknown }, options?: MutationOptions): Promise<any>;
  /** The events of the shop as they happen; a connection that breaks is begun again where it ended. */
  events(
    input?: { after?: number; collection?: string },
    options?: { signal?: AbortSignal; state?: (state: StreamState) => void },
  ): AsyncGenerator<ShopEvent, void>;
  jobs: {
    waitForExport: Exports['wait'];
    waitForImport: Imports['wait'];
    startImport: Imports['start'];
    allRows: Imports['allRows'];
  };
  pending: Pending;
}
