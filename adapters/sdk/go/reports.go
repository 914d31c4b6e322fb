package cartwright

import "context"

// ReportService adds up what a shop sold and what its buyers paid.
type ReportService struct{ core *core }

// Summary is the figures of some days of the shop, a row per currency: by day, market, provider or product, and beside those of the
// days before, if it is asked to.
func (s *ReportService) Summary(ctx context.Context, in ReportSummaryInput, opts ...Option) (out ReportSummaryResult, err error) {
	_, err = s.core.call(ctx, opReportSummary, in, &out, opts)
	return out, err
}

// Settlement is what each provider captured and gave back on each day, as the ledger has it.
func (s *ReportService) Settlement(ctx context.Context, in ReportSettlementInput, opts ...Option) (out ReportSettlementResult, err error) {
	_, err = s.core.call(ctx, opReportSettlement, in, &out, opts)
	return out, err
}
