package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/eventlog"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/gather"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/list"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// engine is what all adapters of a store share: the database, the tables of its collections, and what a
// process remembers of them.
type engine struct {
	options   Options
	db        *db.DB
	dialect   *db.Dialect
	writer    change.Writer
	events    eventlog.Tables
	shapes    map[string]*table.Shape // by slug
	shapeList []*table.Shape
	sequencer *eventlog.Sequencer
	lists     *list.Finder
	growth    growthWatch     // on Postgres only
	gather    *gather.Batcher // of reads by id; on Postgres only
	sharing   *sharing        // of transactions; used on Postgres only
	grouped   *groupCommit    // of units of work; used on SQLite only
	claims    Claims
	keys      keyCache
	// skipTenantFilter leaves out the tenant predicate, so that tests see row-level security alone.
	skipTenantFilter bool
}

// newEngine checks o, works out the tables and opens the database; it migrates nothing.
func newEngine(ctx context.Context, o Options) (e *engine, err error) {
	if o.Registry == nil || o.Fold == nil || (o.URL == "") == (o.Path == "") {
		return nil, errors.New("a store takes a registry, a fold and either a URL or a path")
	}
	o = o.withDefaults()
	e = &engine{options: o, dialect: db.DialectOf(o.URL), shapes: map[string]*table.Shape{}}
	taken := map[string]bool{}
	for _, t := range migrate.AllSystemTables(systemTables()) {
		taken[t.Name] = true
	}
	for _, c := range o.Registry.All() {
		sh := table.NewShape(c)
		if taken[sh.Table] {
			return nil, fmt.Errorf("collection %s: its table name is taken", c.Slug)
		}
		taken[sh.Table] = true
		e.shapes[c.Slug] = sh
		e.shapeList = append(e.shapeList, sh)
	}
	e.events = eventlog.Tables{Dialect: e.dialect, Hot: table.HotCollections(e.shapeList), Kept: table.KeptCollections(e.shapeList)}
	lists := list.Options{
		Dialect: e.dialect, Shapes: e.shapes, Events: e.events, Fold: o.Fold, QueryTime: o.QueryTime, Now: o.Now, Logger: o.Logger,
		Start: o.Background.Task("tallies").Start,
	}
	if e.dialect.Postgres {
		lists.OnSlow = e.growth.look
	}
	e.lists = list.New(lists)
	e.writer = change.Writer{Dialect: e.dialect, Fold: o.Fold}
	e.db, err = db.Open(ctx, db.Options{
		URL: o.URL, Path: o.Path, Connections: o.Connections, Deadline: o.Deadline, Logger: o.Logger, OnReconnect: e.lists.Forget,
		QueryHook: o.QueryHook, Models: models(), Background: o.Background,
	})
	if err != nil {
		return nil, err
	}
	e.sequencer = eventlog.NewSequencer(e.db, o.Logger, o.Background.Task("sequencer"))
	e.growth.db, e.growth.task, e.growth.now = e.db, o.Background.Task("statistics"), o.Now
	e.gather = gather.New(e.db, o.Deadline, o.Background.Task("gathered reads"))
	e.claims = newClaims(e.db)
	e.grouped = &groupCommit{engine: e, task: o.Background.Task("grouped commits")}
	e.sharing = &sharing{engine: e, task: o.Background.Task("shared transactions"), inFlight: map[string]struct{}{}}
	return e, nil
}

// shape finds the table of a schema.
func (e *engine) shape(c *collection.Schema) (*table.Shape, error) {
	return table.ShapeOf(e.shapes, c)
}
