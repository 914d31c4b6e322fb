package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
)

// CopySQLite writes the SQLite database at path, as it is at one moment, to a new file. Others may read and
// write it meanwhile; nothing is migrated, so a newer program may save what an older one works on. The copy
// is on disk when this returns.
func CopySQLite(ctx context.Context, path, to string) (err error) {
	db, err := openExisting(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return fmt.Errorf("copy the database %s: %w", path, err)
	}
	f, err := os.OpenFile(to, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(privateMode), f.Sync(), f.Close())
}

const privateMode = 0o600

// CheckSQLite reads the whole SQLite database at path and answers nil when it is sound.
func CheckSQLite(ctx context.Context, path string) (err error) {
	db, err := openExisting(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var said string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&said); err != nil {
		return fmt.Errorf("check the database %s: %w", path, err)
	}
	if said != "ok" {
		return fmt.Errorf("the database %s is damaged: %s", path, said)
	}
	return nil
}

// AnalyzeSQLite has the SQLite database at path gather the statistics by which it plans.
func AnalyzeSQLite(ctx context.Context, path string) (err error) {
	db, err := openExisting(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, one := range SQLiteStatistics("ANALYZE") {
		if _, err := db.ExecContext(ctx, one); err != nil {
			return fmt.Errorf("gather statistics of the database %s: %w", path, err)
		}
	}
	return nil
}

// SQLiteStatistics are the statements that gather statistics with text, such as ANALYZE, from at most so many rows of
// each index. Tables of fewer than a thousand rows have none: those of a new shop would say that reading a table whole
// is cheap, until it has grown for long. Without them SQLite prefers an index.
func SQLiteStatistics(text string) []string {
	return []string{
		"PRAGMA analysis_limit = 1000", text, "DELETE FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) < 1000", "ANALYZE sqlite_schema",
	}
}

// openExisting opens a database that is there.
func openExisting(path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=rw&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	return db, nil
}
