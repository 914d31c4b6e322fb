package program

import (
	"context"
	"io"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

func (p process) migrateCommand() *cobra.Command {
	var dry, again bool
	cmd := p.jsonCommand(&cobra.Command{
		Use: "migrate", Short: "Migrate the database to this version.", Args: exactArgs(), Example: "cartwright migrate --dry-run",
	}, "{steps}: the SQL that --dry-run would run; empty without --dry-run", func(ctx context.Context, _ []string) (commandResult, error) {
		steps := []string{}
		var err error
		switch {
		case dry:
			steps, err = p.planMigration(ctx)
		case again:
			err = p.backfill(ctx)
		default:
			err = p.withNewCore(ctx, func(context.Context, *core) error { return nil })
		}
		if err != nil {
			return commandResult{}, err
		}
		return jsonResult(map[string]any{"steps": steps}, func(out io.Writer) error { return printMigration(out, steps, dry) })
	})
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print the SQL without running it")
	cmd.Flags().BoolVar(&again, "refill", false, "rewrite the filter and sort columns of every record; safe while servers run")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "refill")
	return cmd
}

const upToDate = "The database is up to date."

// productStoreOptions are the store options for the product's own collections.
func (p process) productStoreOptions() (o sqlstore.Options, err error) {
	c, err := p.config()
	if err != nil {
		return o, err
	}
	registry, err := c.newRegistry()
	if err != nil {
		return o, err
	}
	o = c.storeOptions(registry)
	o.Logger = p.logger(c)
	return o, c.prepareDataDir()
}

// backfill migrates and rewrites all columns.
func (p process) backfill(ctx context.Context) error {
	o, err := p.productStoreOptions()
	if err != nil {
		return err
	}
	o.Backfill = true
	s, err := sqlstore.Open(ctx, o)
	if err != nil {
		return err
	}
	return s.Close() //nolint:contextcheck // it ends what runs beside the caller
}

// planMigration lists the statements of a migration; never nil.
func (p process) planMigration(ctx context.Context) ([]string, error) {
	o, err := p.productStoreOptions()
	if err != nil {
		return nil, err
	}
	steps, err := sqlstore.Plan(ctx, o)
	return append([]string{}, steps...), err
}

// printMigration prints a migration as a script.
func printMigration(out io.Writer, steps []string, dry bool) error {
	text := upToDate + "\n"
	if dry {
		text = "-- " + text
	}
	if len(steps) > 0 {
		text = ""
	}
	for _, step := range steps {
		if !strings.HasPrefix(step, "--") {
			step += ";"
		}
		text += step + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

// storeOptions are the store options of configuration c.
func (c Config) storeOptions(registry *collection.Registry) sqlstore.Options {
	watched := offers.WatchedCollections()
	maps.Copy(watched, connections.WatchedCollections())
	o := sqlstore.Options{URL: c.Database, Registry: registry, Fold: foldCase, QueryTime: c.QueryTimeout, NotifyOf: watched}
	if o.URL == "" {
		o.Path = c.File(storeFile)
	}
	return o
}
