package collection

import (
	"fmt"
	"slices"
	"time"
)

// Lapse makes a select field read another value once a time has passed, although nobody has written it yet: an open
// checkout reads expired from its expiry on. Reads, filters, sorting and counts agree on it. Engineering 9.
type Lapse struct {
	From, To string // options of the field: what is stored, and what it reads as
	At       string // date field beside it: from this instant on; null is never
}

// AsOf is r as it reads at now: r itself, or a copy in which what has lapsed shows.
func (s *Schema) AsOf(r Record, now time.Time) Record {
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Lapses == nil || !f.Lapses.over(r, f.Name, now) {
			continue
		}
		r = r.Clone()
		r[f.Name] = f.Lapses.To
	}
	return r
}

// over reports whether what r holds in field name has lapsed at now; a zero now is before all times.
func (l *Lapse) over(r Record, name string, now time.Time) bool {
	at := r.Time(l.At)
	return r.Text(name) == l.From && !at.IsZero() && !now.Before(at)
}

// checkLapses refuses declarations that storage and readers could not agree on.
func (s *Schema) checkLapses(fields []Field, top bool) error {
	for _, f := range fields {
		if err := s.checkLapses(f.Fields, false); err != nil {
			return err
		}
		l := f.Lapses
		if l == nil {
			continue
		}
		at, _ := s.Field(l.At)
		if !top || f.Kind != Select || at.Kind != Date || !slices.Contains(f.Options, l.From) || !slices.Contains(f.Options, l.To) {
			return fmt.Errorf("%s.%s: a lapse leads between options of a top-level select, at a date field of the record", s.Slug, f.Name)
		}
	}
	return nil
}
