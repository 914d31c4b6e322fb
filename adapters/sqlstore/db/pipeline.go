package db

import (
	"cmp"
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// EncodedStmt is a statement whose arguments are in the binary form of Postgres already.
type EncodedStmt struct {
	SQL    string
	Values [][]byte
}

// RunEncoded runs statements on Postgres as one implicit transaction, in one round trip. The first one, bind,
// has the list of tenants as its only argument, a text.
func (d *DB) RunEncoded(ctx context.Context, bind string, ids []tenant.ID, stmts []EncodedStmt) error {
	list, err := tenantList(ids)
	if err != nil {
		return err
	}
	return d.breaker.run(func() error {
		conn, err := d.pools.app.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		first, err := conn.Conn().Prepare(ctx, bind, bind)
		if err != nil {
			return err
		}
		described := make([]*pgconn.StatementDescription, len(stmts))
		for i, s := range stmts {
			if described[i], err = conn.Conn().Prepare(ctx, s.SQL, s.SQL); err != nil {
				return err
			}
		}
		p := conn.Conn().PgConn().StartPipeline(ctx)
		p.SendQueryStatement(first, [][]byte{[]byte(list)}, []int16{0}, nil)
		for i, s := range stmts {
			p.SendQueryStatement(described[i], s.Values, []int16{1}, nil)
		}
		return errors.Join(p.Sync(), drain(p))
	})
}

// drain reads the results of a pipeline, of which only errors matter here.
func drain(p *pgconn.Pipeline) error {
	var failed error
	for {
		answer, err := p.GetResults()
		if reader, ok := answer.(*pgconn.ResultReader); ok {
			_, err = reader.Close()
		}
		failed = cmp.Or(failed, err)
		if _, ended := answer.(*pgconn.PipelineSync); ended || err != nil || answer == nil {
			return cmp.Or(failed, p.Close())
		}
	}
}
