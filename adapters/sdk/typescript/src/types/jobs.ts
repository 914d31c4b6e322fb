import type { MutationOptions } from '../pending.js';
import type { Answer, Body, CallOptions, Query } from './api.js';
import type { Records } from './collections.js';

/** A file of a shop's records that is made in the background, and how far it is. */
export type Export = Records['exports'];
/** A file whose rows are brought into the shop in the background, and how far it is. */
export type Import = Records['imports'];
/** What became of one row of an import. */
export type ImportRow = Answer<'importRows'>['rows'][number];

/** Options of a helper that waits until a job has ended. Its `signal` ends the waiting, and not the job. */
export interface WaitOptions<J> extends CallOptions {
  /** Hears of every look at the job, which become ever rarer: after a quarter of a second at first, and every five at last. */
  progress?: (job: J) => void;
}

export interface Exports {
  start(input: Body<'exportStart'>, options?: MutationOptions): Promise<Answer<'exportStart'>>;
  /** The export once it has ended: `done`, `failed` with a `problem`, or `canceled`. */
  wait(input: { exportId: string }, options?: WaitOptions<Export>): Promise<Export>;
  cancel(input: { exportId: string }, options?: MutationOptions): Promise<Answer<'exportCancel'>>;
  /** The file of an export that is done. `timeout` is until it begins. */
  download(input: { exportId: string }, options?: CallOptions): Promise<Blob>;
}

/** A file to be imported. */
export interface ImportFile {
  /** CSV or XLSX, at most 25 MiB. */
  file: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  filename?: string;
  /** What its rows are about. */
  kind: Import['kind'];
  /** `upsert` when left out. */
  mode?: Import['mode'];
  /** Say of each row what it would do, and change nothing. */
  dryRun?: boolean;
}

export interface Imports {
  /** Sent once, whatever the network does; one that is given up is not among the pending operations. */
  start(input: ImportFile, options?: MutationOptions): Promise<{ import: Import }>;
  /** The import once it has ended: `done`, `failed` with a `problem`, or `canceled`. */
  wait(input: { importId: string }, options?: WaitOptions<Import>): Promise<Import>;
  /** Rows that were applied stay so. */
  cancel(input: { importId: string }, options?: MutationOptions): Promise<Answer<'importCancel'>>;
  /** A page of what became of the rows, in the order of the file. */
  rows(input: { importId: string } & Query<'importRows'>, options?: CallOptions): Promise<Answer<'importRows'>>;
  /** All of them, page by page. */
  allRows(input: { importId: string } & Query<'importRows'>, options?: CallOptions): AsyncIterable<ImportRow>;
  /** The rejected rows as CSV, with number and errors in front of the cells: to be mended and sent again. */
  rejected(input: { importId: string }, options?: CallOptions): Promise<Blob>;
}

/** Documents, as PDF. */
export interface Prints {
  invoice(input: { orderId: string } & Query<'ordersPrintInvoice'>, options?: CallOptions): Promise<Blob>;
  packingSlip(input: { fulfillmentId: string } & Query<'fulfillmentsPrintPackingSlip'>, options?: CallOptions): Promise<Blob>;
  label(input: { fulfillmentId: string } & Query<'fulfillmentsPrintLabel'>, options?: CallOptions): Promise<Blob>;
  /** What of a fulfillment order is in no parcel yet. */
  toBePacked(input: { fulfillmentOrderId: string } & Query<'fulfillmentOrdersPrintPackingSlip'>, options?: CallOptions): Promise<Blob>;
  /** The packing slips or labels of many, in one file. */
  many(input: Query<'fulfillmentsPrint'>, options?: CallOptions): Promise<Blob>;
}
