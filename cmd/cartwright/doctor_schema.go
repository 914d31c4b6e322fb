package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/registry"
)

var errOlderSchema = errors.New("the database has the schema of an older version and was not changed: run cartwright migrate, or start a server of this version, and try again; cartwright migrate --dry-run shows what is missing")

// checkSchema reports a database with an older version's tables, without changing it. A database that cannot
// be read, or has no tables yet, is left to later checks. Errors: errOlderSchema.
func (c Config) checkSchema(ctx context.Context, log *slog.Logger) error {
	registry, err := collection.NewRegistry(registry.Schemas()...)
	if err != nil {
		return err
	}
	o := c.storeOptions(registry)
	o.Logger = log
	if o.URL == "" {
		if info, err := os.Stat(o.Path); err != nil || info.Size() == 0 {
			return nil //nolint:nilerr // there is no database yet
		}
	}
	steps, err := sqlstore.Plan(ctx, o)
	if err != nil {
		return nil //nolint:nilerr // opening it fails for the same reason, with a better message
	}
	empty := slices.ContainsFunc(steps, func(step string) bool { return strings.HasPrefix(step, `CREATE TABLE "tenants" `) })
	if len(steps) > 0 && !empty {
		return errOlderSchema
	}
	return nil
}
