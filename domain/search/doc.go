// Package search holds what records are found by: the terms that stand in them, and what a text that somebody
// types asks for. It knows no database: an index stores the Entries, and finds what Query.Rank says.
//
// Terms are short and compared as they are: folded (collection.Fold) and without anything but letters and digits, so
// that "ORD-2026/17" and "ord2026 17" meet. Addresses of email keep their form, and telephone numbers have a plus sign in
// front, which nothing else has. Rules: features/search/RULES.md.
package search
