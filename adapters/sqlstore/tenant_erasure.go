package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// TenantErasure is a ports.TenantErasure.
type TenantErasure struct{ store *engine }

var _ ports.TenantErasure = TenantErasure{}

// globalOfTenants are the tables without row-level security whose rows name a tenant all the same, and the column that does.
var globalOfTenants = map[string]string{"logins": "tenant", "email_requests": "sender"}

// erasedLast are tables of which Erase deletes nothing: files are deleted first, and the tenant's record says until the end that it is
// being deleted.
var erasedLast = []string{"pending_blobs", identity.Tenants.Slug}

// startsWork are tables from which background work begins. They go first: what it does not find it does not work on.
var startsWork = []string{
	"payment_tasks", webhook.Endpoints.Slug, webhook.Deliveries.Slug, media.Schema.Slug, transfer.Exports.Slug, intake.Imports.Slug,
}

// tenantTables are all tables with rows of tenants, in the order in which they are erased.
func (e *engine) tenantTables() []string {
	var first, rest []string
	add := func(name string) {
		if slices.ContainsFunc(startsWork, func(slug string) bool { return db.Snake(slug) == name }) {
			first = append(first, name)
		} else {
			rest = append(rest, name)
		}
	}
	for _, t := range migrate.AllSystemTables(systemTables()) {
		if (!t.Global || globalOfTenants[t.Name] != "") && (t.Only == nil || t.Only == e.dialect) {
			add(t.Name)
		}
	}
	for _, sh := range e.shapeList {
		add(sh.Table)
	}
	return append(first, rest...)
}

// ofTenant is the condition on the rows of tenant $1 in a table.
func ofTenant(name string) string { return cmp.Or(globalOfTenants[name], "tenant") + " = $1" }

const deletionColumns = "SELECT id, begun_at, begun_by, archive, finished_at FROM tenant_deletions "

// Deletions implements ports.TenantErasure.
func (x TenantErasure) Deletions(ctx context.Context, finishedAfter time.Time) ([]ports.TenantDeletion, error) {
	return x.find(ctx, "WHERE finished_at IS NULL OR finished_at > $1 ORDER BY begun_at, id", finishedAfter)
}

// Find implements ports.TenantErasure.
func (x TenantErasure) Find(ctx context.Context, id tenant.ID) (ports.TenantDeletion, error) {
	found, err := x.find(ctx, "WHERE id = $1", string(id))
	if err != nil || len(found) == 0 {
		return ports.TenantDeletion{}, errors.Join(err, ports.ErrNotFound)
	}
	return found[0], nil
}

func (x TenantErasure) find(ctx context.Context, where string, args ...any) (all []ports.TenantDeletion, err error) {
	err = db.Query(ctx, x.store.db.Reader(db.SystemScope), func(r db.Row) error {
		var d ports.TenantDeletion
		var begun, finished db.NullTime
		err := r.Scan(&d.Tenant, &begun, &d.By, &d.Archive, &finished)
		d.Begun, d.Finished = begun.Time, finished.Time
		all = append(all, d)
		return err
	}, deletionColumns+where, args...)
	if err != nil {
		return nil, fmt.Errorf("list deleted tenants: %w", err)
	}
	return all, nil
}

// ReceiptKeys implements ports.TenantErasure.
func (x TenantErasure) ReceiptKeys(ctx context.Context, id tenant.ID, after ports.ReceiptKey, limit int) (keys []ports.ReceiptKey, err error) {
	err = db.Query(ctx, x.store.db.Reader(db.SystemScope), func(r db.Row) error {
		var raw []byte
		err := r.Scan(&raw)
		var key ports.ReceiptKey
		copy(key[:], raw)
		keys = append(keys, key)
		return err
	}, "SELECT key FROM receipts WHERE tenant = $1 AND key > $2 ORDER BY key LIMIT $3", string(id), after[:], int64(limit))
	if err != nil {
		return nil, fmt.Errorf("list receipts: %w", err)
	}
	return keys, nil
}

// Erase implements ports.TenantErasure. The accounts come last: to find them all accounts are read.
func (x TenantErasure) Erase(ctx context.Context, id tenant.ID) (more bool, err error) {
	d, err := x.Find(ctx, id)
	if err != nil {
		return false, err
	}
	name, err := x.firstLeft(ctx, x.store.db.Reader(db.SystemScope), id, erasedLast...)
	if err != nil {
		return false, err
	}
	if name == "" {
		return x.eraseRest(ctx, d)
	}
	err = x.store.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		_, err := db.Exec(ctx, on, x.eraseSQL(name), string(id))
		return err
	})
	if err != nil {
		return false, fmt.Errorf("erase rows of %s: %w", name, err)
	}
	return true, nil
}

// eraseRest is Erase of a tenant that has no other rows: its members leave, and its pending files are due.
func (x TenantErasure) eraseRest(ctx context.Context, d ports.TenantDeletion) (more bool, err error) {
	members, err := x.members(ctx, d.Tenant)
	if err == nil && len(members) > 0 {
		return true, x.leave(ctx, d.Tenant, members)
	}
	if err == nil {
		err = x.store.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
			_, err := db.Exec(ctx, on, "UPDATE pending_blobs SET due_at = $2 WHERE tenant = $1 AND due_at > $2 AND NOT deleting",
				string(d.Tenant), d.Begun)
			return err
		})
	}
	return false, err
}

// eraseSQL deletes some rows of tenant $1. Nobody may lock the rows of append-only tables: there instances wait for each other.
func (x TenantErasure) eraseSQL(name string) string {
	all := migrate.AllSystemTables(systemTables())
	i := slices.IndexFunc(all, func(t table.SystemTable) bool { return t.Name == name })
	var system table.SystemTable // zero for the table of a collection
	if i >= 0 {
		system = all[i]
	}
	if x.store.dialect.Postgres && system.AppendOnly {
		return "DELETE FROM " + name + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM " + name + " WHERE " + ofTenant(name) + " ORDER BY ctid LIMIT " +
			strconv.Itoa(sweepSize) + "))"
	}
	return deleteBatchSQL(x.store.dialect, db.Quote(name), cmp.Or(system.Clustered, "rowid"), ofTenant(name))
}

// firstLeft is the first table that has a row of a tenant, besides some; "" if none has.
func (x TenantErasure) firstLeft(ctx context.Context, on db.Session, id tenant.ID, besides ...string) (name string, err error) {
	var parts []string
	for _, t := range x.store.tenantTables() {
		if !slices.Contains(besides, t) {
			parts = append(parts, "WHEN EXISTS (SELECT 1 FROM "+db.Quote(t)+" WHERE "+ofTenant(t)+") THEN '"+t+"'")
		}
	}
	_, err = db.QueryRow(ctx, on, []any{&name}, "SELECT CASE "+strings.Join(parts, " ")+" ELSE '' END", string(id))
	if err != nil {
		return "", fmt.Errorf("look for rows of a deleted tenant: %w", err)
	}
	return name, nil
}

// membersPerErase is how many accounts a call of Erase changes.
const membersPerErase = 100

// members are some of the accounts that name a tenant. No index finds them; tenants are deleted seldom.
func (x TenantErasure) members(ctx context.Context, id tenant.ID) (accounts []string, err error) {
	d := x.store.dialect
	err = db.Query(ctx, x.store.db.Reader(db.SystemScope), func(r db.Row) error {
		var one string
		err := r.Scan(&one)
		accounts = append(accounts, one)
		return err
	}, "SELECT id FROM accounts WHERE "+d.Contains("memberships", "$1")+" OR "+d.Contains("email || ' '", "$2")+" ORDER BY id LIMIT $3",
		`"`+string(id)+`"`, " "+string(id)+" ", int64(membersPerErase))
	if err != nil {
		return nil, fmt.Errorf("look for members of a deleted tenant: %w", err)
	}
	return accounts, nil
}

// leave takes the membership in a tenant from accounts, and deletes those that have no other one.
func (x TenantErasure) leave(ctx context.Context, id tenant.ID, accounts []string) error {
	return x.store.transact(ctx, ports.Scope{System: true}, func(ctx context.Context, t *txn) error {
		for _, account := range accounts {
			if err := leaveTenant(ctx, accountRows{t}, id, account); err != nil {
				return fmt.Errorf("take the membership in a deleted tenant from an account: %w", err)
			}
		}
		return nil
	})
}

func leaveTenant(ctx context.Context, rows accountRows, id tenant.ID, account string) error {
	a, err := rows.Lock(ctx, account)
	if errors.Is(err, ports.ErrNotFound) {
		return nil // another instance was faster
	}
	if err != nil {
		return err
	}
	a.Memberships = slices.DeleteFunc(a.Memberships, func(m ports.Membership) bool { return m.Tenant == id })
	if len(a.Memberships) == 0 || a.Home == id {
		return rows.Delete(ctx, account)
	}
	return rows.Save(ctx, a)
}

const finishDeletion = "UPDATE tenant_deletions SET finished_at = $2 WHERE id = $1 AND finished_at IS NULL"

// Finish implements ports.TenantErasure.
func (x TenantErasure) Finish(ctx context.Context, id tenant.ID, at time.Time) (done bool, err error) {
	if _, err := x.Find(ctx, id); err != nil {
		return false, err
	}
	if members, err := x.members(ctx, id); err != nil || len(members) > 0 {
		return false, err
	}
	err = x.store.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		err := on.Run(ctx, x.finishStatements(id, at)...)
		if err != nil {
			return err
		}
		name, err := x.firstLeft(ctx, on, id)
		if name != "" {
			err = errRowsLeft
		}
		return err
	})
	if errors.Is(err, errRowsLeft) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("finish the deletion of a tenant: %w", err)
	}
	return true, nil
}

// errRowsLeft undoes a Finish that came too early.
var errRowsLeft = errors.New("rows of the tenant are left")

// finishStatements delete the tenant's record, and what a trigger of its table would write with the commit.
func (x TenantErasure) finishStatements(id tenant.ID, at time.Time) []db.Stmt {
	all := []db.Stmt{
		{SQL: finishDeletion, Args: []any{string(id), at}}, {SQL: "DELETE FROM tenants WHERE tenant = $1", Args: []any{string(id)}},
	}
	if x.store.dialect.Postgres {
		all = append(all, db.Stmt{SQL: "SET CONSTRAINTS ALL IMMEDIATE"}, db.Stmt{SQL: "DELETE FROM catalog_versions WHERE tenant = $1", Args: []any{string(id)}})
	}
	return all
}
