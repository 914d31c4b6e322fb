package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/platform"
)

func (p process) migrateCommand() *cobra.Command {
	var dry, again bool
	cmd := p.answering(&cobra.Command{
		Use: "migrate", Short: "Bring the database to the tables of this version.", Args: takes(), Example: "cartwright migrate --dry-run",
	}, "{steps}: what would be done, as SQL; nothing is left without --dry-run", func(ctx context.Context, _ []string) (answer, error) {
		steps := []string{}
		var err error
		switch {
		case dry:
			steps, err = p.planMigration(ctx)
		case again:
			err = p.refill(ctx)
		default:
			err = p.withCore(ctx, func(context.Context, *core) error { return nil })
		}
		if err != nil {
			return answer{}, err
		}
		return valued(map[string]any{"steps": steps}, func(out io.Writer) error { return tellSteps(out, steps, dry) })
	})
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
	return s.Close()
}

// planMigration lists what a migration would do, as SQL; never nil.
func (p process) planMigration(ctx context.Context) ([]string, error) {
	o, err := p.productStore()
	if err != nil {
		return nil, err
	}
	steps, err := sqlstore.Plan(ctx, o)
	return append([]string{}, steps...), err
}

// tellSteps prints a migration as a script.
func tellSteps(out io.Writer, steps []string, dry bool) error {
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

// storeOptions say where the records of c are kept.
func (c Config) storeOptions(registry *collection.Registry) sqlstore.Options {
	o := sqlstore.Options{URL: c.Database, Registry: registry, Fold: fold, QueryTime: c.QueryTimeout, Told: quoting.Watched()}
	if o.URL == "" {
		o.Path = c.File(storeFile)
	}
	return o
}
