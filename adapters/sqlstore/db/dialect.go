package db

import "strings"

// Dialect is what differs between the two databases. Statements are written once: $1, $2… are bind arguments,
// and the type words TEXT, BIGINT, TIMESTAMP, BOOLEAN and BYTES stand for column types.
type Dialect struct {
	Postgres bool
	types    *strings.Replacer
}

var (
	// Postgres compares text by code point only under the C collation.
	Postgres = &Dialect{
		true,
		strings.NewReplacer("TEXT", `text COLLATE "C"`, "BIGINT", "bigint", "TIMESTAMP", "timestamptz", "BOOLEAN", "boolean",
			"BYTES", "bytea"),
	}
	// SQLite keeps times as milliseconds since 1970 and compares text by its bytes, which orders like code
	// points.
	SQLite = &Dialect{
		false, strings.NewReplacer("TEXT", "TEXT", "BIGINT", "INTEGER", "TIMESTAMP", "INTEGER", "BOOLEAN", "INTEGER", "BYTES", "BLOB"),
	}
)

// Clock is the database's own time of day, for leases alone: the instances that compete for one share no
// other clock.
func (d *Dialect) Clock() string {
	if d.Postgres {
		return "clock_timestamp()"
	}
	return "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
}

// DDL turns the type words of a definition into column types.
func (d *Dialect) DDL(text string) string { return d.types.Replace(text) }

// InList says that expr is one of the texts bound as a []string to arg ("$2").
func (d *Dialect) InList(expr, arg string) string {
	if d.Postgres {
		return expr + " = ANY(" + arg + ")"
	}
	return expr + " IN (SELECT value FROM json_each(" + arg + "))"
}

// NotInList says that expr is none of the texts bound as a []string to arg.
func (d *Dialect) NotInList(expr, arg string) string { return "NOT (" + d.InList(expr, arg) + ")" }

// ForUpdate makes a SELECT lock its rows. SQLite has one writer: the transaction itself is the lock.
func (d *Dialect) ForUpdate() string {
	if d.Postgres {
		return " FOR UPDATE"
	}
	return ""
}

// SkipLocked is ForUpdate that leaves out rows which others hold.
func (d *Dialect) SkipLocked() string {
	if d.Postgres {
		return " FOR UPDATE SKIP LOCKED"
	}
	return ""
}

// Contains says that text expr contains the text bound to arg, byte for byte: no character is a wildcard.
func (d *Dialect) Contains(expr, arg string) string {
	if d.Postgres {
		return "strpos(" + expr + ", " + arg + ") > 0"
	}
	return "instr(" + expr + ", " + arg + ") > 0"
}

// Quote makes an identifier of a name; names come from schemas, never from requests.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Snake turns a camel-case field name or a slug into a column or table name.
func Snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '-':
			b.WriteByte('_')
		case r >= 'A' && r <= 'Z':
			if i > 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r + 'a' - 'A')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
