package collection

import (
	"fmt"
	"slices"
	"time"
)

// TimedTransition gives a select field another value once a time has passed, before it is stored: an open
// checkout is read as expired from its expiry on. Reads, filters, sorting and counts agree on it. Rule
// collections-21.
type TimedTransition struct {
	From, To string // options of the field: the stored value, and the value that readers see
	At       string // date field of the same record: from this time on; null: never
}

// AsOf returns r as readers see it at now: r itself, or a copy with its transitions applied.
func (s *Schema) AsOf(r Record, now time.Time) Record {
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Transition == nil || !f.Transition.due(r, f.Name, now) {
			continue
		}
		r = r.Clone()
		r[f.Name] = f.Transition.To
	}
	return r
}

// due reports whether the transition of field name applies to r at now; never for a zero now.
func (l *TimedTransition) due(r Record, name string, now time.Time) bool {
	at := r.Time(l.At)
	return r.Text(name) == l.From && !at.IsZero() && !now.Before(at)
}

// checkTransitions refuses declarations on which storage and readers would disagree.
func (s *Schema) checkTransitions(fields []Field, top bool) error {
	for _, f := range fields {
		if err := s.checkTransitions(f.Fields, false); err != nil {
			return err
		}
		l := f.Transition
		if l == nil {
			continue
		}
		at, _ := s.Field(l.At)
		if !top || f.Kind != Select || at.Kind != Date || !slices.Contains(f.Options, l.From) || !slices.Contains(f.Options, l.To) {
			return fmt.Errorf("%s.%s: a timed transition leads between options of a top-level select, at a date field of the record", s.Slug, f.Name)
		}
	}
	return nil
}
