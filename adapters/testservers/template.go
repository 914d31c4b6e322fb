package testservers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Template is a database that many tests start from. Copying it is much faster than filling one, and cleaning
// a copy is much faster again: a copy is reused by later tests as long as its tables are unchanged.
type Template struct {
	Fill func(url string) error // connects, fills, and disconnects; runs once per process

	mu       sync.Mutex
	name     string
	contents contents
	idle     []string // unused copies
}

// contents is what Fill created: the schema, and the rows of tables that have any, as COPY writes them.
type contents struct {
	schemaHash string
	rows       map[string][]byte
}

// Postgres is testservers.Postgres with a copy of the template. The template and its copies are dropped with
// the server.
func (o *Template) Postgres(t testing.TB) string {
	t.Helper()
	url, err := o.acquire(context.Background(), adminPostgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.release(context.Background(), url); err != nil {
			t.Error(err)
		}
	})
	return url
}

func (o *Template) acquire(ctx context.Context, admin string) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.name == "" {
		if err := o.fill(ctx, admin); err != nil {
			return "", err
		}
	}
	if last := len(o.idle) - 1; last >= 0 {
		url := o.idle[last]
		o.idle = o.idle[:last]
		return url, nil
	}
	url, _, err := databaseLike(ctx, admin, o.name)
	return url, err
}

func (o *Template) fill(ctx context.Context, admin string) error {
	url, _, err := Database(ctx, admin)
	if err != nil {
		return err
	}
	if err := o.Fill(url); err != nil {
		return err
	}
	if err := withConn(ctx, url, func(conn *pgx.Conn) error { o.contents, err = readContents(ctx, conn); return err }); err != nil {
		return err
	}
	name, _, _ := strings.Cut(url[strings.LastIndex(url, "/")+1:], "?")
	o.name = name
	return nil
}

// release restores a copy. One whose schema a test changed is not reused.
func (o *Template) release(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return withConn(ctx, url, func(conn *pgx.Conn) error {
		if err := terminateOtherConnections(ctx, conn); err != nil {
			return err
		}
		if same, err := o.contents.restore(ctx, conn); err != nil || !same {
			return err
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		o.idle = append(o.idle, url)
		return nil
	})
}

func withConn(ctx context.Context, url string, do func(conn *pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(do(conn), conn.Close(ctx))
}

// terminateOtherConnections ends all other connections to a database.
func terminateOtherConnections(ctx context.Context, conn *pgx.Conn) error {
	return waitUntil(ctx, func() (bool, error) {
		var others int
		err := conn.QueryRow(ctx,
			"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()").Scan(&others)
		return others == 0, err
	})
}

// schemaHashQuery hashes the versions of all rows of the catalog that describe what was created in the
// database: whatever changes a table, an index, a constraint, a trigger, a function, a policy or a privilege
// writes such a row. A copy of a database has the same versions. Definitions in words would take twenty times
// as long.
const schemaHashQuery = `SELECT concat_ws(' ', ` +
	`(SELECT sum(hashtextextended(concat_ws(' ', oid, xmin), 1)) FROM pg_class WHERE oid >= 16384), ` +
	`(SELECT sum(hashtextextended(concat_ws(' ', attrelid, attnum, xmin), 2)) FROM pg_attribute WHERE attrelid >= 16384), ` +
	`(SELECT sum(hashtextextended(concat_ws(' ', oid, xmin), 3)) FROM pg_attrdef), ` +
	`(SELECT sum(hashtextextended(concat_ws(' ', indexrelid, xmin), 4)) FROM pg_index WHERE indexrelid >= 16384), ` +
	`(SELECT sum(hashtextextended(concat_ws(' ', oid, xmin), 5)) FROM pg_constraint WHERE oid >= 16384), ` +
	`(SELECT sum(hashtextextended(concat_ws(' ', oid, xmin), 6)) FROM pg_trigger), ` +
	`(SELECT sum(hashtextextended(concat_ws(' ', oid, xmin), 7)) FROM pg_proc WHERE oid >= 16384), ` +
	`(SELECT sum(hashtextextended(concat_ws(' ', oid, xmin), 8)) FROM pg_namespace), ` +
	`(SELECT sum(hashtextextended(concat_ws(' ', oid, xmin), 9)) FROM pg_policy), ` +
	`(SELECT string_agg(concat_ws(' ', setrole, setconfig), ' ') FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())))`

// readContents reads the contents of a database.
func readContents(ctx context.Context, conn *pgx.Conn) (f contents, err error) {
	if err := conn.QueryRow(ctx, schemaHashQuery).Scan(&f.schemaHash); err != nil {
		return f, fmt.Errorf("read the shape of a template: %w", err)
	}
	rows, err := conn.Query(ctx, "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()")
	if err != nil {
		return f, err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return f, err
	}
	f.rows = map[string][]byte{}
	for _, table := range tables {
		var all bytes.Buffer
		if _, err := conn.PgConn().CopyTo(ctx, &all, "COPY "+table+" TO STDOUT"); err != nil {
			return f, err
		}
		if all.Len() > 0 {
			f.rows[table] = all.Bytes()
		}
	}
	return f, nil
}

// filledTables lists the tables that have rows, or had some since the last VACUUM, by their files: pg_relation_size would open each.
const filledTables = `SELECT quote_ident(relname) FROM pg_class
	WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND (pg_stat_file(pg_relation_filepath(oid))).size > 0`

// restore restores the rows of a database, and reports whether its schema is unchanged. What a test filled is vacuumed: otherwise each
// later one would read what all before it left behind, and restoring would visit every table that ever had rows.
func (f contents) restore(ctx context.Context, conn *pgx.Conn) (same bool, err error) {
	var now string
	if err := conn.QueryRow(ctx, schemaHashQuery).Scan(&now); err != nil || now != f.schemaHash {
		return false, err
	}
	rows, err := conn.Query(ctx, filledTables)
	if err != nil {
		return false, err
	}
	filled, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return false, err
	}
	if len(filled) > 0 {
		deleteAll := "SET session_replication_role = replica; DELETE FROM " + strings.Join(filled, "; DELETE FROM ") // ignoring triggers and references
		for _, text := range []string{deleteAll, "VACUUM (INDEX_CLEANUP ON) " + strings.Join(filled, ", ")} {
			if _, err := conn.Exec(ctx, text, pgx.QueryExecModeSimpleProtocol); err != nil {
				return false, err
			}
		}
	}
	for table, rows := range f.rows {
		if _, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(rows), "COPY "+table+" FROM STDIN"); err != nil {
			return false, err
		}
	}
	return true, nil
}

// FileTemplate is Template for SQLite: a file of which tests get copies.
type FileTemplate struct {
	Fill func(path string) error // opens, fills, and closes; runs once per process

	once    sync.Once
	content []byte
	err     error
}

// Copy is the path of a copy in a TempDir of the test.
func (f *FileTemplate) Copy(t testing.TB) string {
	t.Helper()
	f.once.Do(func() {
		path := filepath.Join(TempDir(t), "template.db")
		if f.err = f.Fill(path); f.err == nil {
			f.content, f.err = os.ReadFile(path)
		}
	})
	if f.err != nil {
		t.Fatal(f.err)
	}
	path := filepath.Join(TempDir(t), "test.db")
	if err := os.WriteFile(path, f.content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
