package table

import (
	"errors"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/ports"
)

// TenantScope is which tenants' rows a statement may see.
type TenantScope struct {
	Dialect    *db.Dialect
	Scope      ports.Scope
	Unfiltered bool // no tenant predicate, so that tests see row-level security alone
}

// TenantFilter is the tenant predicate on the row called alias. No statement on records is without it.
func (s TenantScope) TenantFilter(a *db.Args, alias string) string {
	switch {
	case s.allTenants():
		return "TRUE"
	case len(s.Scope.Tenants) == 1:
		return alias + ".tenant = " + a.Bind(string(s.Scope.Tenants[0]))
	}
	ids := make([]string, len(s.Scope.Tenants))
	for i, id := range s.Scope.Tenants {
		ids[i] = string(id)
	}
	return s.Dialect.InList(alias+".tenant", a.Bind(ids))
}

// allTenants reports whether all tenants are within reach.
func (s TenantScope) allTenants() bool {
	return s.Unfiltered || s.Scope.System && len(s.Scope.Tenants) == 0
}

// Covers reports whether the scope binds a tenant.
func (s TenantScope) Covers(named string) bool {
	if s.allTenants() {
		return named != ""
	}
	for _, id := range s.Scope.Tenants {
		if string(id) == named {
			return true
		}
	}
	return false
}

// StockEnvironment is whose stock computed fields show: the one named, else that of the scope.
func (s TenantScope) StockEnvironment(named string) string {
	if named == "" {
		return string(s.Scope.Environment)
	}
	return named
}

// ErrForeignTenant says that a change or a row belongs to a tenant outside the scope: a programming error.
var ErrForeignTenant = errors.New("the change belongs to a tenant that this transaction is not bound to")
