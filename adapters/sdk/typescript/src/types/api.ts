import type { components, operations } from '../generated/api.js';
import type { MutationOptions } from '../pending.js';

export type Schemas = components['schemas'];
export type Operation = keyof operations;
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never;

/** What an operation of the API takes as its body. */
export type Body<O extends Operation> = Json<NonNullable<operations[O]['requestBody']>>;

/** What an operation of the API answers when it succeeds. */
export type Answer<O extends Operation> = Json<operations[O]['responses'][keyof operations[O]['responses']]>;

/** What an operation of the API takes in its address. */
export type Query<O extends Operation> = NonNullable<operations[O]['parameters']['query']>;

/** A postal address, in what is read as in what is sent. `addresses.format` tells which parts a country needs. */
export type Address = Schemas['Address'];
export type Cart = Schemas['Cart'];
export type CartLine = Cart['lines'][number];
export type Checkout = Schemas['Checkout'];
export type Customer = Schemas['Customer'];
export type DraftOrder = Schemas['DraftOrder'];
export type Order = Schemas['Order'];
export type PaymentSession = Schemas['PaymentSession'];
export type ReturnRequest = Schemas['ReturnRequest'];

/** Options of a helper that only reads. */
export type CallOptions = Omit<MutationOptions, 'idempotencyKey'>;
