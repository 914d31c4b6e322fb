package sqlstore

import (
	"context"
	"fmt"
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/ports"
)

// tokenNeeds lists which versions of the server's secret are still needed by receipts, waiting sealed tokens and
// sealed calls to providers, in no order.
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
	calls, err := sealedCalls(ctx, d)
	return append(needs, calls...), err
}

// sealedCalls counts the sealed calls to providers.
func sealedCalls(ctx context.Context, d *db.DB) (needs []ports.SecretDependents, err error) {
	text := "CAST(request AS TEXT)"
	if d.Dialect.Postgres {
		text = "convert_from(request, 'UTF8')"
	}
	b, start := d.Builder(), len(ports.SealedRequest)
	q := b.Select((*providerCallRow)(nil)).
		ColumnExpr(sealedVersion(d.Dialect, fmt.Sprintf("substr(%s, %d)", text, start+1))).ColumnExpr("count(*)").
		Where("attempt = 1").Where("substr(request, 1, ?) = ?", start, []byte(ports.SealedRequest)).GroupExpr("1")
	err = b.Query(ctx, d.Reader(db.SystemScope), q, func(r db.Row) error {
		var head string
		var n int64
		if err := r.Scan(&head, &n); err != nil {
			return err
		}
		version, err := strconv.Atoi(head)
		needs = append(needs, ports.SecretDependents{Version: version, SealedCalls: int(n)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count sealed provider calls by their secret: %w", err)
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
