package program

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
)

var errOlderSchema = errors.New("the database has the schema of an older version and was not changed: run cartwright migrate, or start a server of this version, and try again; cartwright migrate --dry-run shows what is missing")

var errNoDatabase = errors.New("there is no database of a shop here, and this command makes none: check CARTWRIGHT_DATA and CARTWRIGHT_DATABASE_URL, or run cartwright serve, migrate, demo or restore first")

// checkSchema reports a missing database, and one with an older version's tables, without changing it. A database that
// cannot be read is left to later checks. Errors: errNoDatabase, errOlderSchema.
func (c Config) checkSchema(ctx context.Context, log *slog.Logger) error {
	exists, steps, err := c.missingDefinitions(ctx, log)
	switch {
	case err != nil:
		return err
	case !exists:
		return errNoDatabase
	case len(steps) > 0:
		return errOlderSchema
	}
	return nil
}

// requireDatabase refuses to go on where there is no database. One that cannot be read is left to whoever opens it.
// Errors: errNoDatabase.
func (c Config) requireDatabase(ctx context.Context, log *slog.Logger) error {
	exists, _, err := c.missingDefinitions(ctx, log)
	if err == nil && !exists {
		err = errNoDatabase
	}
	return err
}

// missingDefinitions reports whether there is a database with tables of ours, and what this version would add to it.
// It makes nothing.
func (c Config) missingDefinitions(ctx context.Context, log *slog.Logger) (exists bool, steps []string, err error) {
	registry, err := c.newRegistry()
	if err != nil {
		return false, nil, err
	}
	o := c.storeOptions(registry)
	o.Logger = log
	if o.URL == "" {
		if info, err := os.Stat(o.Path); err != nil || info.Size() == 0 {
			return false, nil, nil //nolint:nilerr // there is none
		}
	}
	if steps, err = sqlstore.Plan(ctx, o); err != nil {
		return true, nil, nil //nolint:nilerr // opening it fails for the same reason, with a better message
	}
	empty := slices.ContainsFunc(steps, func(step string) bool { return strings.HasPrefix(step, `CREATE TABLE "tenants" `) })
	return !empty, steps, nil
}
