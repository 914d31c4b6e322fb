package table

import "github.com/cartwright-dev/cartwright/adapters/sqlstore/db"

// SystemTable is a table that no collection describes.
type SystemTable struct {
	Name       string
	Body       string      // columns and constraints, with the type words of dialect
	Indexes    []string    // "(a, b)"; "unique (a)" for a unique one
	Global     bool        // has no tenant column: the app role may not touch it
	Added      []string    // columns of Body that tables of older versions lack, as in Body
	Only       *db.Dialect // on this dialect only; nil: both
	Storage    string      // Postgres: storage parameters
	Compressed []string    // Postgres: columns of large values, compressed
	NotifyOn   string      // Postgres: the changes that listeners are told of, "UPDATE OF a"; "" is none
	Clustered  string      // SQLite: columns of the primary key if the rows are in its tree alone, and so have no rowid; "" if they have one
	// AppendOnly tables refuse to change a row, and to lose one, except of a tenant in TenantDeletions.
	AppendOnly bool
}

// TenantDeletions is the table of the tenants that are deleted, by id.
const TenantDeletions = "tenant_deletions"

// AllGrants are those of a role that reads and writes a table freely.
const AllGrants = "SELECT, INSERT, UPDATE, DELETE"

// Grants are what our roles may do to t. Whoever works across tenants may delete more, as far as a policy lets it.
func (t SystemTable) Grants() string {
	if t.AppendOnly {
		return "SELECT, INSERT"
	}
	return AllGrants
}

// BeingErased is the condition on a row called alias of an AppendOnly table to be deleted.
func BeingErased(alias string) string {
	return "EXISTS (SELECT 1 FROM " + TenantDeletions + " d WHERE d.id = " + alias + ".tenant)"
}
