package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/platform"
)

func (p process) migrateCommand() *cobra.Command {
	var dry, again bool
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the database to the tables of this version.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case dry:
				return p.planMigration(cmd.Context())
			case again:
				return p.refill(cmd.Context())
			}
			return p.withCore(cmd.Context(), func(context.Context, *core) error {
				_, err := fmt.Fprintln(p.out, upToDate)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print what would be done, as SQL, and do nothing")
	cmd.Flags().BoolVar(&again, "refill", false, "write again, for every record, what filters and sorting look at; servers may run meanwhile")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "refill")
	return cmd
}

const upToDate = "The database is up to date."

// productStore says where the records of the product's own collections are kept.
func (p process) productStore() (o sqlstore.Options, err error) {
	c, err := loadConfig(p.getenv)
	if err != nil {
		return o, err
	}
	registry, err := collection.NewRegistry(platform.Schemas()...)
	if err != nil {
		return o, err
	}
	o = c.storeOptions(registry)
	o.Logger = p.logger(c)
	return o, c.openData()
}

// refill migrates and writes all columns again.
func (p process) refill(ctx context.Context) error {
	o, err := p.productStore()
	if err != nil {
		return err
	}
	o.Refill = true
	s, err := sqlstore.Open(ctx, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.out, upToDate)
	return errors.Join(err, s.Close())
}

func (p process) planMigration(ctx context.Context) error {
	o, err := p.productStore()
	if err != nil {
		return err
	}
	steps, err := sqlstore.Plan(ctx, o)
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
	o := sqlstore.Options{URL: c.Database, Registry: registry, Fold: fold, QueryTime: c.QueryTimeout, Told: quoting.Watched()}
	if o.URL == "" {
		o.Path = c.File("cartwright.db")
	}
	return o
}
