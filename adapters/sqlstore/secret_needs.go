package sqlstore

import (
	"context"
	"fmt"
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/ports"
)

// tokenNeeds lists which versions of the server's secret are still needed by receipts and waiting sealed
// tokens, in no order.
func tokenNeeds(ctx context.Context, d *db.DB) ([]ports.SecretDependents, error) {
	var needs []ports.SecretDependents
	err := db.Query(ctx, d.Reader(db.SystemScope), func(r db.Row) error {
		var version, n int64
		err := r.Scan(&version, &n)
		needs = append(needs, ports.SecretDependents{Version: int(version), Receipts: int(n)})
		return err
	}, "SELECT token_version, count(*) FROM receipts WHERE token_version > 0 GROUP BY token_version")
	if err != nil {
		return nil, fmt.Errorf("count receipts by their secret: %w", err)
	}
	b := d.Builder()
	q := b.Select((*sealedTokenRow)(nil)).ColumnExpr(sealedVersion(d.Dialect, "ciphertext")).ColumnExpr("count(*)").
		ColumnExpr("max(expires_at)").GroupExpr("1")
	err = b.Query(ctx, d.Reader(db.SystemScope), q, func(r db.Row) error {
		var head string
		var n int64
		var last db.NullTime
		if err := r.Scan(&head, &n, &last); err != nil {
			return err
		}
		version, err := strconv.Atoi(head)
		needs = append(needs, ports.SecretDependents{Version: version, SealedTokens: int(n), SealedTokensUntil: last.Time})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count sealed tokens by their secret: %w", err)
	}
	return needs, nil
}

// sealedVersion is the version in a sealed text, "v1:…".
func sealedVersion(d *db.Dialect, column string) string {
	if d.Postgres {
		return "substr(" + column + ", 2, position(':' in " + column + ") - 2)"
	}
	return "substr(" + column + ", 2, instr(" + column + ", ':') - 2)"
}
