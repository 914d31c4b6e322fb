package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// journalRows is ports.Journal inside a transaction.
type journalRows struct{ *txn }

// beginCall numbers the attempt and keeps the first attempt's key and bytes. Of two at once, one inserts nothing.
const beginCall = `INSERT INTO provider_calls (tenant, id, session, operation, attempt, provider_key, request, outcome, detail, started_at)
	VALUES ($1, $2, $3, $4, 1 + (SELECT count(*) FROM provider_calls WHERE tenant = $1 AND session = $3 AND operation = $4),
		coalesce((SELECT provider_key FROM provider_calls WHERE tenant = $1 AND session = $3 AND operation = $4 AND attempt = 1), $5),
		coalesce((SELECT request FROM provider_calls WHERE tenant = $1 AND session = $3 AND operation = $4 AND attempt = 1), $6), '', '', $7)
	ON CONFLICT (tenant, session, operation, attempt) DO NOTHING RETURNING attempt, provider_key, request`

const firstCall = "SELECT started_at FROM provider_calls WHERE tenant = $1 AND session = $2 AND operation = $3 AND attempt = 1"

// Begin implements ports.Journal.
func (t journalRows) Begin(ctx context.Context, c ports.ProviderCall) (ports.ProviderCall, error) {
	if !t.covers(string(c.Tenant)) {
		return c, t.refuse(errForeign)
	}
	c.Outcome, c.Detail = "", ""
	found, err := queryRow(ctx, t, []any{&c.Attempt, &c.ProviderKey, &c.Request}, beginCall,
		string(c.Tenant), c.ID, c.Session, c.Operation, c.ProviderKey, c.Request, c.StartedAt)
	switch {
	case err != nil:
		return c, fmt.Errorf("begin provider call: %w", err)
	case !found:
		return c, ports.ErrStale
	}
	if c.FirstAt = c.StartedAt; c.Attempt == 1 {
		return c, nil
	}
	var first moment
	if _, err := queryRow(ctx, t, []any{&first}, firstCall, string(c.Tenant), c.Session, c.Operation); err != nil {
		return c, fmt.Errorf("first attempt of provider call: %w", err)
	}
	c.FirstAt = first.Time
	return c, nil
}

// Finish implements ports.Journal.
func (t journalRows) Finish(ctx context.Context, c ports.ProviderCall) error {
	n, err := exec(ctx, t, "UPDATE provider_calls SET outcome = $3, detail = $4, finished_at = $5 WHERE tenant = $1 AND id = $2",
		string(c.Tenant), c.ID, c.Outcome, c.Detail, orNull(c.FinishedAt))
	switch {
	case err != nil:
		return fmt.Errorf("finish provider call: %w", err)
	case n == 0:
		return ports.ErrAbsent
	}
	return nil
}

// Undeclined implements ports.Journal.
func (t journalRows) Undeclined(ctx context.Context, id tenant.ID, session, operation string) (bool, error) {
	if !t.covers(string(id)) {
		return false, t.refuse(errForeign)
	}
	var n int64
	found, err := queryRow(ctx, t, []any{&n}, `SELECT 1 FROM provider_calls
		WHERE tenant = $1 AND session = $2 AND (operation = $3 OR operation LIKE $4) AND outcome NOT IN ('declined', 'unsent') LIMIT 1`,
		string(id), session, operation, operation+":%")
	if err != nil {
		return false, fmt.Errorf("find undeclined provider call: %w", err)
	}
	return found, nil
}
