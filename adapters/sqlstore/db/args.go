package db

import "strconv"

// Args collects the bind arguments of a statement under construction.
type Args []any

// Bind adds v and returns its mark.
func (a *Args) Bind(v any) string {
	*a = append(*a, v)
	return "$" + strconv.Itoa(len(*a))
}
