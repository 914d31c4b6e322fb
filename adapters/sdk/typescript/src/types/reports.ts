import type { Answer, CallOptions, Query } from './api.js';

/** What a shop sold and what its buyers paid, a row per currency. */
export type ReportSummary = Answer<'reportSummary'>;
/** What each provider captured and gave back on each day, as the ledger has it. */
export type ReportSettlement = Answer<'reportSettlement'>;

export interface Reports {
  summary(input?: Query<'reportSummary'>, options?: CallOptions): Promise<ReportSummary>;
  settlement(input?: Query<'reportSettlement'>, options?: CallOptions): Promise<ReportSettlement>;
}
