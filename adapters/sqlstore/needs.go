package sqlstore

import (
	"context"
	"fmt"
	"strconv"

	"github.com/cartwright-dev/cartwright/ports"
)

// TokenNeeds tells which versions of the server's secret receipts and waiting letters still need, in no order.
func (s *Store) TokenNeeds(ctx context.Context) ([]ports.TokenNeed, error) {
	var needs []ports.TokenNeed
	err := query(ctx, &reads{s, systemScope}, func(r row) error {
		var version, n int64
		err := r.Scan(&version, &n)
		needs = append(needs, ports.TokenNeed{Version: int(version), Receipts: int(n)})
		return err
	}, "SELECT token_version, count(*) FROM receipts WHERE token_version > 0 GROUP BY token_version")
	if err != nil {
		return nil, fmt.Errorf("count receipts by their secret: %w", err)
	}
	err = query(ctx, &reads{s, systemScope}, func(r row) error {
		var head string
		var n int64
		var last moment
		if err := r.Scan(&head, &n, &last); err != nil {
			return err
		}
		version, err := strconv.Atoi(head)
		needs = append(needs, ports.TokenNeed{Version: version, Letters: int(n), LettersUntil: last.Time})
		return err
	}, "SELECT "+s.d.sealedBy("sealed")+", count(*), max(expires_at) FROM enclosures GROUP BY 1")
	if err != nil {
		return nil, fmt.Errorf("count letters by their secret: %w", err)
	}
	return needs, nil
}

// sealedBy is the version in a sealed text, "v1:…".
func (d *dialect) sealedBy(column string) string {
	if d.postgres {
		return "substr(" + column + ", 2, position(':' in " + column + ") - 2)"
	}
	return "substr(" + column + ", 2, instr(" + column + ", ':') - 2)"
}
