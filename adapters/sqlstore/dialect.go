package sqlstore

import "strings"

// dialect is what differs between the two databases. Statements are written once: $1, $2… are bind arguments, and the
// type words TEXT, BIGINT, TIMESTAMP, BOOLEAN and BYTES stand for column types.
type dialect struct {
	postgres bool
	types    *strings.Replacer
}

var (
	// Postgres compares text by code point only under the C collation.
	postgres = &dialect{true, strings.NewReplacer("TEXT", `text COLLATE "C"`, "BIGINT", "bigint", "TIMESTAMP", "timestamptz", "BOOLEAN", "boolean", "BYTES", "bytea")}
	// SQLite keeps times as milliseconds since 1970 and compares text by its bytes, which orders like code points.
	sqlite = &dialect{false, strings.NewReplacer("TEXT", "TEXT", "BIGINT", "INTEGER", "TIMESTAMP", "INTEGER", "BOOLEAN", "INTEGER", "BYTES", "BLOB")}
)

// clock is the database's own time of day, for leases alone: the instances that compete for one share no other clock.
func (d *dialect) clock() string {
	if d.postgres {
		return "clock_timestamp()"
	}
	return "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
}

// ddl turns the type words of a definition into column types.
func (d *dialect) ddl(text string) string { return d.types.Replace(text) }

// in says that expr is one of the texts bound as a []string to arg ("$2").
func (d *dialect) in(expr, arg string) string {
	if d.postgres {
		return expr + " = ANY(" + arg + ")"
	}
	return expr + " IN (SELECT value FROM json_each(" + arg + "))"
}

// forUpdate makes a SELECT lock its rows. SQLite has one writer: the transaction itself is the lock.
func (d *dialect) forUpdate() string {
	if d.postgres {
		return " FOR UPDATE"
	}
	return ""
}

// skipLocked is forUpdate that leaves out rows which others hold.
func (d *dialect) skipLocked() string {
	if d.postgres {
		return " FOR UPDATE SKIP LOCKED"
	}
	return ""
}

// holds says that text expr contains the text bound to arg, byte for byte: no character is a wildcard.
func (d *dialect) holds(expr, arg string) string {
	if d.postgres {
		return "strpos(" + expr + ", " + arg + ") > 0"
	}
	return "instr(" + expr + ", " + arg + ") > 0"
}

// quote makes an identifier of a name; names come from schemas, never from requests.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// snake turns a camel-case field name or a slug into a column or table name.
func snake(name string) string {
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
