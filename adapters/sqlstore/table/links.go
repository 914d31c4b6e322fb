package table

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// linksColumn holds the ids that a record names in its relations, separated by spaces, so that the statement
// that reads a record also finds those of them whose record was deleted (an answer shows these as null).
// Null: not known. Collections with environments have none: they name many records, change at every click and
// are seldom read by themselves.
const linksColumn = "links"

// schemaHasLinks reports whether a collection has the column.
func schemaHasLinks(s *collection.Schema) bool { return !s.PerEnvironment && hasRelations(s.Fields) }

func hasRelations(fields []collection.Field) bool {
	return slices.ContainsFunc(fields, func(f collection.Field) bool { return f.Kind.Related() || hasRelations(f.Fields) })
}

// linkedIDs is the value of the column.
func linkedIDs(s *collection.Schema, r collection.Record, _ func(string) string) any {
	var ids []string
	for _, l := range s.Links(r) {
		if !slices.Contains(ids, l.ID) {
			ids = append(ids, l.ID)
		}
	}
	return strings.Join(ids, " ")
}

// selectDeletedLinks selects, of the row called r, the linked ids that belong to deleted records.
func (sh *Shape) selectDeletedLinks(d *db.Dialect) string {
	if !sh.hasLinks {
		return NoText
	}
	ids, joined := "= ANY(string_to_array(r.links, ' '))", "string_agg(g.id, ' ')"
	if !d.Postgres {
		ids, joined = `IN (SELECT value FROM json_each('["' || replace(r.links, ' ', '","') || '"]'))`, "group_concat(g.id, ' ')"
	}
	return "CASE WHEN r.links = '' THEN '' WHEN r.links IS NOT NULL THEN (SELECT coalesce(" + joined +
		", '') FROM tombstones g WHERE g.tenant = r.tenant AND g.id " + ids + ") END"
}

// Nulls, with the type that a column of a UNION needs.
const (
	NoText   = "CAST(NULL AS text)"
	NoNumber = "CAST(NULL AS bigint)"
)
