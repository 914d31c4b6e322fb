package table

import (
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// SelectColumns is the column list that scan reads, for the row called r.
func (sh *Shape) SelectColumns(env string, d *db.Dialect) string {
	list := "r.doc, r.sequence, " + sh.selectDeletedLinks(d)
	for _, f := range sh.Computed {
		list += ", " + computedExpr(f, "r", env)
	}
	return list
}

// scannedColumns are the columns besides id that SelectColumns reads, so that it can be asked of a row that has no others.
func (sh *Shape) scannedColumns(env string) []string {
	list := []string{"tenant", "doc", "sequence"}
	if sh.hasLinks {
		list = append(list, "links")
	}
	if slices.ContainsFunc(sh.Computed, func(f collection.Field) bool { return f.Source == ports.SourceLow }) {
		list = append(list, lowStockColumn(env))
	}
	return list
}

// StoredRow is a record as it was selected with selects.
type StoredRow struct {
	Doc          []byte
	Sequence     int64
	DeletedLinks *string  // see selectDeletedLinks
	Computed     []*int64 // by source
}

// ScanRow reads a row selected with selects, and what was selected besides.
func (sh *Shape) ScanRow(from db.Row, extra ...any) (st StoredRow, err error) {
	dest := append(make([]any, 0, 3+len(sh.Computed)+len(extra)), &st.Doc, &st.Sequence, &st.DeletedLinks)
	if len(sh.Computed) > 0 {
		st.Computed = make([]*int64, len(sh.Computed))
		for i := range st.Computed {
			dest = append(dest, &st.Computed[i])
		}
	}
	return st, from.Scan(append(dest, extra...)...)
}

// DecodeRow decodes st.
func (sh *Shape) DecodeRow(st StoredRow) (collection.Record, error) {
	r, err := sh.Decode(st.Doc)
	if err != nil {
		return nil, err
	}
	for i, f := range sh.Computed {
		switch v := st.Computed[i]; {
		case v != nil && f.Kind == collection.Boolean:
			r[f.Name] = *v == 1
		case v != nil:
			r[f.Name] = *v
		}
	}
	if st.DeletedLinks != nil {
		r.WithDeletedLinks(*st.DeletedLinks)
	}
	return r.WithSequence(st.Sequence), nil
}

// ScanRecord reads a record selected with selects.
func (sh *Shape) ScanRecord(from db.Row) (collection.Record, error) {
	st, err := sh.ScanRow(from)
	if err != nil {
		return nil, err
	}
	return sh.DecodeRow(st)
}
