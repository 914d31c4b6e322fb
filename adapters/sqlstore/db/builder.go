package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
)

// Builder makes statements of bun and runs them on sessions. bun alone writes the arguments into the text, on
// connections of its own: that would be another round trip to bind the tenants, and a new text to prepare for
// every call. So bun only makes the text here, with marks for the arguments; it has no connection.
type Builder struct {
	bun  *bun.DB
	hook bun.QueryHook // nil: none
}

// newBuilder makes a builder for models: pointers to structs with the tags of bun.
func newBuilder(postgres bool, hook bun.QueryHook, models []any) *Builder {
	var dialect schema.Dialect = sqlitedialect.New()
	if postgres {
		dialect = pgdialect.New()
	}
	for _, m := range models {
		for _, f := range dialect.Tables().Get(reflect.TypeOf(m)).Fields {
			f.Append = func(gen schema.QueryGen, b []byte, v reflect.Value) []byte { return bindValue(gen, b, v.Interface()) }
		}
	}
	return &Builder{bun.NewDB(nil, dialect), hook}
}

// Select selects the columns of a model unless it is given others.
func (b *Builder) Select(model any) *bun.SelectQuery { return b.bun.NewSelect().Model(model) }

// Insert inserts a model.
func (b *Builder) Insert(model any) *bun.InsertQuery { return b.bun.NewInsert().Model(model) }

// Update updates the table of a model.
func (b *Builder) Update(model any) *bun.UpdateQuery { return b.bun.NewUpdate().Model(model) }

// Delete deletes from the table of a model.
func (b *Builder) Delete(model any) *bun.DeleteQuery { return b.bun.NewDelete().Model(model) }

// Exec runs q and returns how many rows it changed.
func (b *Builder) Exec(ctx context.Context, on Session, q bun.Query) (affected int64, err error) {
	st, err := b.Stmt(q)
	if err != nil {
		return 0, err
	}
	st.OnDone = func(n int64) error { affected = n; return nil }
	return affected, b.run(ctx, on, q, st)
}

// Query runs q and calls each for its rows.
func (b *Builder) Query(ctx context.Context, on Session, q bun.Query, each func(Row) error) error {
	st, err := b.Stmt(q)
	if err != nil {
		return err
	}
	st.OnRow = each
	return b.run(ctx, on, q, st)
}

// Stmt is q as a statement.
func (b *Builder) Stmt(q bun.Query) (Stmt, error) {
	to := &binding{Dialect: b.bun.Dialect()}
	text, err := q.AppendQuery(schema.NewQueryGen(to), nil)
	if err = errors.Join(err, to.err); err != nil {
		return Stmt{}, fmt.Errorf("build a statement: %w", err)
	}
	return Stmt{SQL: string(text), Args: to.args}, nil
}

// run runs st, made of q, and reports it to the hook.
func (b *Builder) run(ctx context.Context, on Session, q bun.Query, st Stmt) error {
	if b.hook == nil {
		return on.Run(ctx, st)
	}
	event := &bun.QueryEvent{DB: b.bun, IQuery: q, Query: st.SQL, StartTime: time.Now()}
	ctx = b.hook.BeforeQuery(ctx, event)
	event.Err = on.Run(ctx, st)
	b.hook.AfterQuery(ctx, event)
	return event.Err
}

// Models runs q, which selects all columns of T, and returns the rows.
func Models[T any](ctx context.Context, b *Builder, on Session, q bun.Query) (all []T, err error) {
	fields := b.bun.Dialect().Tables().Get(reflect.TypeFor[*T]()).Fields
	err = b.Query(ctx, on, q, func(r Row) error {
		var m T
		dest := make([]any, len(fields))
		for i, f := range fields {
			dest[i] = f.Value(reflect.ValueOf(&m).Elem()).Addr().Interface()
		}
		err := r.Scan(dest...)
		all = append(all, m)
		return err
	})
	return all, err
}

// Arg is v as an argument of a query.
func Arg(v any) schema.QueryAppender { return Expr(func(a *Args) string { return a.Bind(v) }) }

// Expr is an expression with arguments, in a query.
type Expr func(a *Args) string

// AppendQuery implements schema.QueryAppender.
func (e Expr) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	if to, ok := gen.Dialect().(*binding); ok {
		return append(b, e(&to.args)...), nil
	}
	return append(b, '?'), nil // a template
}

// binding is a dialect that makes arguments of all values of one statement but numbers, which take Arg.
type binding struct {
	schema.Dialect

	args Args
	err  error // of a value that has no form in the database
}

// AppendString implements schema.Dialect.
func (d *binding) AppendString(b []byte, s string) []byte { return append(b, d.args.Bind(s)...) }

// AppendBytes implements schema.Dialect.
func (d *binding) AppendBytes(b, v []byte) []byte { return append(b, d.args.Bind(v)...) }

// AppendTime implements schema.Dialect.
func (d *binding) AppendTime(b []byte, t time.Time) []byte { return append(b, d.args.Bind(t)...) }

// bindValue binds the value of a field of a model.
func bindValue(gen schema.QueryGen, b []byte, v any) []byte {
	to, ok := gen.Dialect().(*binding)
	if !ok {
		return append(b, '?')
	}
	if valuer, made := v.(driver.Valuer); made {
		var err error
		if v, err = valuer.Value(); err != nil {
			to.err = errors.Join(to.err, err)
		}
	}
	if s := reflect.ValueOf(v); s.IsValid() && s.Kind() == reflect.String {
		v = s.String() // of a named type
	}
	return append(b, to.args.Bind(v)...)
}
