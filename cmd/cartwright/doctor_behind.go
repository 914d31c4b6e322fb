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
	"github.com/cartwright-dev/cartwright/domain/platform"
)

var errBehind = errors.New("the database has the tables of an older version and was left as it is: run cartwright migrate, or start a server of this version, and ask again; cartwright migrate --dry-run shows what is missing")

// behind reports a database that holds an older version's tables, without changing it. What cannot be looked at, or is not
// there yet, is left to whoever opens it. Errors: errBehind.
func (c Config) behind(ctx context.Context, log *slog.Logger) error {
	registry, err := collection.NewRegistry(platform.Schemas()...)
	if err != nil {
		return err
	}
	o := c.storeOptions(registry)
	o.Logger = log
	if o.URL == "" {
		if info, err := os.Stat(o.Path); err != nil || info.Size() == 0 {
			return nil //nolint:nilerr // there is none yet
		}
	}
	steps, err := sqlstore.Plan(ctx, o)
	if err != nil {
		return nil //nolint:nilerr // opening it fails for the same reason, and tells it better
	}
	empty := slices.ContainsFunc(steps, func(step string) bool { return strings.HasPrefix(step, `CREATE TABLE "tenants" `) })
	if len(steps) > 0 && !empty {
		return errBehind
	}
	return nil
}
