package collection

// SortKey is one sort key; Path is as in Comparison, but without lists.
type SortKey struct {
	Path []Field
	Desc bool
}

// TiesDescend reports whether records that are equal in all of keys are listed by descending id: ties follow the
// last key, so that a list and its reverse are one index read from either end.
func TiesDescend(keys []SortKey) bool {
	return len(keys) > 0 && keys[len(keys)-1].Desc
}

// SortBy are the keys that sort by top-level fields, ascending, for our own use cases. It panics for an unknown field.
func (s *Schema) SortBy(fields ...string) []SortKey {
	keys := make([]SortKey, len(fields))
	for i, field := range fields {
		keys[i].Path = s.Where(field, Exists, true).Path
	}
	return keys
}

// SortByLast is SortBy one field, descending.
func (s *Schema) SortByLast(field string) []SortKey {
	keys := s.SortBy(field)
	keys[0].Desc = true
	return keys
}
