package searchindex

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/ports"
)

// Index is a ports.SearchIndex.
type Index struct{ db *db.DB }

var _ ports.SearchIndex = Index{}

// New is the index in a database.
func New(d *db.DB) Index { return Index{d} }

// Tables has the terms, and how far they follow the events.
var Tables = []table.SystemTable{
	{
		// Source is the record in which the term stands: the record that is found, or a part of it.
		Name: "search_terms",
		Body: `tenant TEXT NOT NULL, collection TEXT NOT NULL, environment TEXT NOT NULL, term TEXT NOT NULL, record TEXT NOT NULL, source TEXT NOT NULL, kind TEXT NOT NULL,
			PRIMARY KEY (tenant, collection, environment, term, record, source, kind)`,
		Indexes: []string{"(tenant, record, term)", "(tenant, source) WHERE source <> record"},
	},
	{
		Name: "search_places",
		Body: `tenant TEXT PRIMARY KEY, version BIGINT NOT NULL, sequence BIGINT NOT NULL, reading TEXT NOT NULL, after_id TEXT NOT NULL`,
	},
}

const behind = `SELECT c.tenant, c.last, coalesce(t.trimmed, 0), coalesce(p.version, 0), coalesce(p.sequence, 0), coalesce(p.reading, ''), coalesce(p.after_id, '')
	FROM event_counters c LEFT JOIN search_places p ON p.tenant = c.tenant LEFT JOIN event_trims t ON t.tenant = c.tenant
	WHERE coalesce(p.version, 0) < $1 OR p.version = $1 AND (p.sequence < c.last OR p.reading <> '')
	ORDER BY c.tenant LIMIT $2`

// Behind implements ports.SearchIndex.
func (x Index) Behind(ctx context.Context, version int64, limit int) (all []ports.SearchLag, err error) {
	err = db.Query(ctx, x.db.Reader(db.SystemScope), func(r db.Row) error {
		var l ports.SearchLag
		err := r.Scan(&l.Tenant, &l.Newest, &l.Trimmed, &l.Version, &l.Sequence, &l.Reading, &l.After)
		all = append(all, l)
		return err
	}, behind, version, int64(limit))
	if err != nil {
		return nil, fmt.Errorf("ask which search indexes are behind: %w", err)
	}
	return all, nil
}

const backlog = `SELECT CAST(coalesce(sum(c.last - coalesce(p.sequence, 0)), 0) AS bigint),
	count(CASE WHEN p.version = $1 AND p.reading = '' THEN NULL ELSE 1 END)
	FROM event_counters c LEFT JOIN search_places p ON p.tenant = c.tenant
	WHERE coalesce(p.version, 0) < $1 OR p.version = $1 AND (p.sequence < c.last OR p.reading <> '')`

// Backlog implements ports.SearchIndex.
func (x Index) Backlog(ctx context.Context, version int64) (b ports.SearchBacklog, err error) {
	if _, err = db.QueryRow(ctx, x.db.Reader(db.SystemScope), []any{&b.Events, &b.Making}, backlog, version); err != nil {
		return b, fmt.Errorf("measure the search indexes: %w", err)
	}
	return b, nil
}
