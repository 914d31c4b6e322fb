package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/platform"
)

func (p process) migrateCommand() *cobra.Command {
	dry := false
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the database to the tables of this version.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dry {
				return p.planMigration(cmd.Context())
			}
			return p.withCore(cmd.Context(), func(context.Context, *core) error {
				_, err := fmt.Fprintln(p.out, upToDate)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print what would be done, as SQL, and do nothing")
	return cmd
}

const upToDate = "The database is up to date."

func (p process) planMigration(ctx context.Context) error {
	c, err := loadConfig(p.getenv)
	if err != nil {
		return err
	}
	registry, err := collection.NewRegistry(platform.Schemas()...)
	if err != nil {
		return err
	}
	if err := c.openData(); err != nil {
		return err
	}
	steps, err := sqlstore.Plan(ctx, c.storeOptions(registry))
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		steps = []string{"-- " + upToDate}
	}
	for _, step := range steps {
		if !strings.HasPrefix(step, "--") {
			step += ";"
		}
		if _, err := fmt.Fprintln(p.out, step); err != nil {
			return err
		}
	}
	return nil
}

// storeOptions say where the records of c are kept.
func (c Config) storeOptions(registry *collection.Registry) sqlstore.Options {
	o := sqlstore.Options{URL: c.Database, Registry: registry, Fold: fold, QueryTime: c.QueryTimeout}
	if o.URL == "" {
		o.Path = c.File("cartwright.db")
	}
	return o
}
