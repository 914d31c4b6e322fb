// Package searchplace stores how far the indexes of tenants follow the events of these: what any index does with a ports.SearchPlace.
package searchplace

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/ports"
)

// Columns are those that a table of places has, besides others that an index needs.
const Columns = "tenant TEXT PRIMARY KEY, version BIGINT NOT NULL, sequence BIGINT NOT NULL, reading TEXT NOT NULL, after_id TEXT NOT NULL"

// Places are the places of all tenants in the indexes of one kind.
type Places struct {
	DB      *db.DB
	Table   string
	Indexes string // what they are called in errors, as "search indexes"
	// Others are the columns besides Columns, and Zeros what stands there of a tenant who has no index yet: each begins with a comma,
	// or is empty.
	Others, Zeros string
}

const isBehind = "coalesce(p.version, 0) < $1 OR p.version = $1 AND (p.sequence < c.last OR p.reading <> '')"

// Behind is that of ports.SearchIndex and ports.ProductSearch.
func (p Places) Behind(ctx context.Context, version int64, limit int) (all []ports.SearchLag, err error) {
	err = db.Query(ctx, p.DB.Reader(db.SystemScope), func(r db.Row) error {
		var l ports.SearchLag
		err := r.Scan(&l.Tenant, &l.Newest, &l.Trimmed, &l.Version, &l.Sequence, &l.Reading, &l.After)
		all = append(all, l)
		return err
	}, "SELECT c.tenant, c.last, coalesce(t.trimmed, 0), coalesce(p.version, 0), coalesce(p.sequence, 0), coalesce(p.reading, ''), coalesce(p.after_id, '')"+
		" FROM event_counters c LEFT JOIN "+p.Table+" p ON p.tenant = c.tenant LEFT JOIN event_trims t ON t.tenant = c.tenant"+
		" WHERE "+isBehind+" ORDER BY c.tenant LIMIT $2", version, int64(limit))
	if err != nil {
		return nil, fmt.Errorf("ask which %s are behind: %w", p.Indexes, err)
	}
	return all, nil
}

// Backlog is that of ports.SearchIndex and ports.ProductSearch.
func (p Places) Backlog(ctx context.Context, version int64) (b ports.SearchBacklog, err error) {
	_, err = db.QueryRow(ctx, p.DB.Reader(db.SystemScope), []any{&b.Events, &b.Making},
		"SELECT CAST(coalesce(sum(c.last - coalesce(p.sequence, 0)), 0) AS bigint), count(CASE WHEN p.version = $1 AND p.reading = '' THEN NULL ELSE 1 END)"+
			" FROM event_counters c LEFT JOIN "+p.Table+" p ON p.tenant = c.tenant WHERE "+isBehind, version)
	if err != nil {
		return b, fmt.Errorf("measure the %s: %w", p.Indexes, err)
	}
	return b, nil
}

// At runs work in a transaction that holds the place of a tenant. Errors: ports.ErrStale when it is another one.
func (p Places) At(ctx context.Context, place ports.SearchPlace, what string, work func(context.Context, db.Session) error) error {
	err := p.DB.Transact(ctx, ports.ForTenant(place.Tenant), func(ctx context.Context, on db.Session) error {
		is := ports.SearchPlace{Tenant: place.Tenant}
		if place.Version == 0 {
			_, err := db.Exec(ctx, on, "INSERT INTO "+p.Table+" (tenant, version, sequence, reading, after_id"+p.Others+
				") VALUES ($1, 0, 0, '', ''"+p.Zeros+") ON CONFLICT DO NOTHING", string(place.Tenant))
			if err != nil {
				return err
			}
		}
		if _, err := db.QueryRow(ctx, on, []any{&is.Version, &is.Sequence, &is.Reading, &is.After},
			"SELECT version, sequence, reading, after_id FROM "+p.Table+" WHERE tenant = $1"+p.DB.Dialect.ForUpdate(), string(place.Tenant)); err != nil {
			return err
		}
		if is != place {
			return ports.ErrStale
		}
		return work(ctx, on)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
