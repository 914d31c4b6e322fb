package sqlstore

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// view reads the records of its scope, inside a transaction or outside of one.
type view struct {
	s     *Store
	scope ports.Scope
	on    session
}

// Read implements ports.Store.
func (s *Store) Read(scope ports.Scope) ports.Reader {
	return &view{s: s, scope: scope, on: &reads{s, scope}}
}

// reads is the session of calls outside a transaction.
type reads struct {
	s     *Store
	scope ports.Scope
}

func (r *reads) run(ctx context.Context, stmts ...stmt) error {
	limited, cancel := r.s.bounded(ctx)
	defer cancel()
	if r.s.lite != nil {
		return r.s.ended(ctx, liteSession{&r.s.lite.reading}.run(limited, stmts...))
	}
	on := pgSession{to: r.s.pg.system}
	if !r.scope.System {
		list, err := tenantList(r.scope.Tenants)
		if err != nil {
			return err
		}
		on = pgSession{to: r.s.pg.app, bind: setTenants, tenants: list}
		if slices.ContainsFunc(stmts, func(st stmt) bool { return st.anew }) {
			on.bind = setTenantsAnew
		}
	}
	return r.s.ended(ctx, r.s.ask(limited, on, stmts))
}

// ask reads on Postgres, and once again when the connection turned out to be dead, as long as nobody heard of an answer.
func (s *Store) ask(ctx context.Context, on pgSession, stmts []stmt) error {
	return s.breaker.run(func() error {
		heard := false
		err := on.run(ctx, listened(stmts, &heard)...)
		if unreachable(err) && !refusedConnection(err) && !heard {
			s.reconnect()
			err = on.run(ctx, stmts...)
		}
		return err
	})
}

// askTogether reads for several tenants, with plans made for few rows each.
func (s *Store) askTogether(ctx context.Context, ids []tenant.ID, stmts []stmt) error {
	list, err := tenantList(ids)
	if err != nil {
		return err
	}
	return s.ask(ctx, pgSession{to: s.pg.app, bind: bindBatch, tenants: list}, stmts)
}

// args collects the bind arguments of a statement under construction.
type args []any

// bind adds v and returns its mark.
func (a *args) bind(v any) string {
	*a = append(*a, v)
	return "$" + strconv.Itoa(len(*a))
}

// fence is the tenant predicate on the row called alias. No statement on records is without it.
func (v *view) fence(a *args, alias string) string {
	switch {
	case v.everywhere():
		return "TRUE"
	case len(v.scope.Tenants) == 1:
		return alias + ".tenant = " + a.bind(string(v.scope.Tenants[0]))
	}
	ids := make([]string, len(v.scope.Tenants))
	for i, id := range v.scope.Tenants {
		ids[i] = string(id)
	}
	return v.s.d.in(alias+".tenant", a.bind(ids))
}

// everywhere reports whether all tenants are within reach.
func (v *view) everywhere() bool {
	return v.s.unfenced || v.scope.System && len(v.scope.Tenants) == 0
}

// environment is whose stock computed fields tell: the one named, else that of the scope.
func (v *view) environment(named string) string {
	if named == "" {
		return string(v.scope.Environment)
	}
	return named
}

// Get implements ports.Reader.
func (v *view) Get(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	return v.get(ctx, c, id, "")
}

func (v *view) get(ctx context.Context, c *collection.Schema, id, suffix string) (found collection.Record, err error) {
	sh, err := v.s.shape(c)
	if err != nil {
		return nil, err
	}
	if suffix == "" && v.gathers() {
		w := wish{kind: wanted{sh, v.environment("")}, ids: []string{id}}
		if err := v.gather(ctx, &w); err != nil {
			return nil, err
		}
		records, err := w.records()
		if err == nil && records[id] == nil {
			err = ports.ErrAbsent
		}
		return records[id], err
	}
	text, a := v.selectOne(sh, id, suffix)
	err = query(ctx, v.on, func(r row) error { found, err = sh.scan(r); return err }, text, a...)
	if err == nil && found == nil {
		return nil, ports.ErrAbsent
	}
	return found, err
}

// selectOne is the statement that reads a record.
func (v *view) selectOne(sh *shape, id, suffix string) (text string, a args) {
	text = "SELECT " + sh.selects(v.environment(""), v.s.d) + " FROM " + quote(sh.table) + " r WHERE " + v.fence(&a, "r") + " AND r.id = " + a.bind(id) + suffix
	return text, a
}

// GetMany implements ports.Reader.
func (v *view) GetMany(ctx context.Context, c *collection.Schema, ids []string) (map[string]collection.Record, error) {
	found := make(map[string]collection.Record, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	sh, err := v.s.shape(c)
	if err != nil {
		return nil, err
	}
	if v.gathers() {
		w := wish{kind: wanted{sh, v.environment("")}, ids: ids}
		if err := v.gather(ctx, &w); err != nil {
			return nil, err
		}
		return w.records()
	}
	var a args
	text := "SELECT " + sh.selects(v.environment(""), v.s.d) + " FROM " + quote(sh.table) + " r WHERE " + v.fence(&a, "r") + " AND " + v.s.d.in("r.id", a.bind(ids))
	return found, query(ctx, v.on, func(r row) error {
		rec, err := sh.scan(r)
		if err == nil {
			found[rec.ID()] = rec
		}
		return err
	}, text, a...)
}

// Gone implements ports.Reader.
func (v *view) Gone(ctx context.Context, ids []string) (map[string]int64, error) {
	gone := map[string]int64{}
	if len(ids) == 0 {
		return gone, nil
	}
	if v.gathers() {
		w := wish{ids: ids}
		err := v.gather(ctx, &w)
		if err == nil && w.gone != nil {
			gone = w.gone
		}
		return gone, err
	}
	var a args
	last := "r.last"
	if v.s.d.postgres {
		last = "(SELECT max(e.record_sequence) FROM events e WHERE e.tenant = r.tenant AND e.record = r.id)"
	}
	text := "SELECT r.id, " + last + " FROM tombstones r WHERE " + v.fence(&a, "r") + " AND " + v.s.d.in("r.id", a.bind(ids))
	return gone, query(ctx, v.on, func(r row) error {
		var id string
		var last *int64
		err := r.Scan(&id, &last)
		if gone[id] = 0; last != nil {
			gone[id] = *last
		}
		return err
	}, text, a...)
}

// Lock implements ports.Records. SQLite has one writer: the transaction itself is the lock.
func (v *view) Lock(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	if v.s.d.postgres {
		return v.get(ctx, c, id, " FOR UPDATE OF r")
	}
	return v.get(ctx, c, id, "")
}

// Hold implements ports.Records.
func (v *view) Hold(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	if v.s.d.postgres {
		return v.get(ctx, c, id, " FOR SHARE OF r")
	}
	return v.get(ctx, c, id, "")
}

// errForeign: a change names a tenant outside the scope of its transaction; a mistake of ours.
var errForeign = errors.New("the change belongs to a tenant that this transaction is not bound to")

// covers reports whether the scope binds a tenant.
func (v *view) covers(named string) bool {
	if v.everywhere() {
		return named != ""
	}
	for _, id := range v.scope.Tenants {
		if string(id) == named {
			return true
		}
	}
	return false
}
