package searchindex

import (
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/searchplace"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/ports"
)

// Index is a ports.SearchIndex.
type Index struct {
	searchplace.Places

	db *db.DB
}

var _ ports.SearchIndex = Index{}

// New is the index in a database.
func New(d *db.DB) Index {
	return Index{searchplace.Places{DB: d, Table: "search_places", Indexes: "search indexes"}, d}
}

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
		Body: searchplace.Columns,
	},
}
