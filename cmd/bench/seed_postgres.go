package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
)

// fill seeds the catalogue: rows first, their indexes after.
func (c *catalog) fill(ctx context.Context, url string) (err error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(2)
	names := make([]string, len(seedTables))
	for i, t := range seedTables {
		names[i] = quoteSQL(t.name)
	}
	drop, indexes, err := indexesOf(ctx, db, names)
	if err != nil {
		return err
	}
	for _, text := range []string{
		"ALTER SYSTEM SET max_wal_size = '16GB'", "ALTER SYSTEM SET maintenance_work_mem = '512MB'",
		"ALTER SYSTEM SET checkpoint_timeout = '30min'", "SELECT pg_reload_conf()", "DROP INDEX " + strings.Join(drop, ", "),
	} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	if err := c.seed(ctx, db, onPostgres); err != nil {
		return err
	}
	if err := parallel(ctx, db, indexes); err != nil {
		return err
	}
	vacuums := []string{"VACUUM ANALYZE relation_members"} // which triggers have filled
	for _, t := range seedTables {
		vacuums = append(vacuums, "VACUUM ANALYZE "+t.name)
	}
	if err := parallel(ctx, db, vacuums); err != nil {
		return err
	}
	for _, text := range []string{"ALTER SYSTEM RESET ALL", "SELECT pg_reload_conf()", "CHECKPOINT"} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// parallel runs statements two at a time.
func parallel(ctx context.Context, db *sql.DB, texts []string) error {
	var wg sync.WaitGroup
	errs := make([]error, len(texts))
	for i, text := range texts {
		wg.Go(func() { _, errs[i] = db.ExecContext(ctx, text) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// indexesOf are the indexes of tables besides their primary keys: their names, and the statements that create them.
func indexesOf(ctx context.Context, db *sql.DB, tables []string) (names, texts []string, err error) {
	rows, err := db.QueryContext(ctx,
		`SELECT x.indexrelid::regclass::text, pg_get_indexdef(x.indexrelid) FROM pg_index x WHERE NOT x.indisprimary AND x.indrelid::regclass::text IN (`+
			strings.Join(tables, ", ")+`)`)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, nil, err
		}
		names, texts = append(names, name), append(texts, text)
	}
	return names, texts, rows.Err()
}
