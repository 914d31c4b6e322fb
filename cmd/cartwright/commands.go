package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/platform"
)

// commands is the command line. Without a command the server runs.
func (p process) commands() *cobra.Command {
	root := &cobra.Command{
		Use:           "cartwright",
		Short:         "A multi-tenant commerce server: catalog, carts, checkouts, payments, orders.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context()) },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(
		p.serveCommand(), p.sandboxCommand(), p.migrateCommand(), p.demoCommand(), p.doctorCommand(), p.configCommand(), p.secretsCommand(),
		p.tenantCommand(), p.keyCommand(), p.userCommand(), p.accessCommand(), p.statesCommand(), p.importCommand(), p.exportCommand(), p.fulfillmentsCommand(), p.graphqlSchemaCommand(), p.openapiCommand(), p.versionCommand(),
	)
	return root
}

// withCore runs fn on an opened store.
func (p process) withCore(ctx context.Context, fn func(context.Context, *core) error) error {
	c, err := loadConfig(p.getenv)
	if err != nil {
		return err
	}
	k, err := openCore(ctx, c, time.Now, p.logger(c))
	if err != nil {
		return err
	}
	err = fn(ctx, k)
	if e := k.Close(); err == nil {
		err = e
	}
	return err
}

// logger writes lines for people on a terminal, JSON elsewhere.
func (p process) logger(c Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // checked by the configuration
	o := &slog.HandlerOptions{Level: level}
	if terminal(p.log) {
		return slog.New(slog.NewTextHandler(p.log, o))
	}
	return slog.New(slog.NewJSONHandler(p.log, o))
}

// serverLogger is logger for a server, whose lines come in great numbers; flush writes what still waits.
func (p process) serverLogger(c Config) (log *slog.Logger, flush func()) {
	if terminal(p.log) {
		return p.logger(c), func() {}
	}
	l := &lines{to: p.log}
	p.log = l
	return slog.New(prompt{p.logger(c).Handler(), l}), l.flush
}

// terminal reports whether w shows to a person.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (p process) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version.", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.out, "cartwright %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

func (p process) accessCommand() *cobra.Command {
	return &cobra.Command{
		Use: "access", Short: "Print who may do what to which collection.", Args: cobra.NoArgs,
		Long: "Print who may do what to which collection: Create, Read, Update, Delete; lower case where only some records are within reach.",
		RunE: func(*cobra.Command, []string) error {
			registry, err := collection.NewRegistry(platform.Schemas()...)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(p.out, access.Matrix(registry))
			return err
		},
	}
}

func (p process) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "Found the demo shop in an empty store.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withCore(cmd.Context(), func(ctx context.Context, k *core) error {
				news, err := k.seedDemo(ctx, k.config.expectedURL())
				if err != nil {
					return err
				}
				if news == nil {
					_, err = fmt.Fprintln(p.out, "The store is not empty: nothing was changed.")
					return err
				}
				return tell(p.out, *news, k.config.File(credentialsFile))
			})
		},
	}
}
