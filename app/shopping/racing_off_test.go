//go:build !race

package shopping_test

// racing: the race detector slows the embedded SQLite down 45 times, so it watches Postgres runs only.
const racing = false
