package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/platform"
)

// commands is the command line. Without a command the server runs.
func (p process) commands() *cobra.Command {
	root := &cobra.Command{
		Use:           "cartwright",
		Short:         "A multi-tenant commerce server: catalog, carts, checkouts, payments, orders.",
		Long:          "A multi-tenant commerce server: catalog, carts, checkouts, payments, orders. Without a command it serves.\n\n" + endings,
		Example:       "cartwright\ncartwright tenant create --name \"My Shop\" --json",
		Version:       version,
		Annotations:   plain("it serves"),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          anyOf,
		RunE:          func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context()) },
	}
	root.SetVersionTemplate("cartwright {{.Version}}\n")
	root.SetFlagErrorFunc(wrongFlag)
	root.AddCommand(
		p.serveCommand(), p.sandboxCommand(), p.migrateCommand(), p.demoCommand(), p.doctorCommand(), p.healthCommand(), p.backupCommand(), p.restoreCommand(), p.configCommand(), p.secretsCommand(),
		p.tenantCommand(), p.keyCommand(), p.userCommand(), p.webhooksCommand(), p.eventsCommand(), p.usageCommand(), p.accessCommand(), p.statesCommand(), p.importCommand(), p.exportCommand(), p.fulfillmentsCommand(), p.graphqlSchemaCommand(), p.openapiCommand(), p.versionCommand(),
	)
	failing(root)
	return root
}

// endings is what all commands have in common.
const endings = `Commands print their result, and nothing else, to standard output; with --json it is what the API answers wherever the API
has the same thing to say. What else there is to tell goes to standard error. They end with 0 when it was done, 1 when it
could not be done, and 2 when the command line was wrong and nothing was begun. All of them may run beside servers.`

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

// logger writes lines for people on a terminal of development, JSON elsewhere, unless a setting wants the one or the other.
// Lines of requests say which.
func (p process) logger(c Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // checked by the configuration
	o := &slog.HandlerOptions{Level: level}
	if c.LogFormat == textLog || c.LogFormat == "" && c.Mode == Development && terminal(p.log) {
		return slog.New(rest.Aware(slog.NewTextHandler(p.log, o)))
	}
	return slog.New(rest.Aware(slog.NewJSONHandler(p.log, o)))
}

// serverLogger is logger for a server, whose lines come in great numbers; flush writes what still waits.
func (p process) serverLogger(c Config) (log *slog.Logger, flush func()) {
	if terminal(p.log) {
		return p.logger(c), func() {}
	}
	l := &lines{to: p.log}
	p.log = l
	return slog.New(rest.Aware(prompt{p.logger(c).Handler(), l})), l.flush
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
	return p.answering(&cobra.Command{
		Use: "version", Short: "Print the version.", Args: takes(), Example: "cartwright version",
	}, "{version, go, os, arch}", func(context.Context, []string) (answer, error) {
		return valued(map[string]string{"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH},
			sentence("cartwright %s (%s, %s/%s)", version, runtime.Version(), runtime.GOOS, runtime.GOARCH))
	})
}

func (p process) accessCommand() *cobra.Command {
	return p.answering(&cobra.Command{
		Use: "access", Short: "Print who may do what to which collection.", Args: takes(), Example: "cartwright access",
		Long: "Print who may do what to which collection: Create, Read, Update, Delete; lower case where only some records are within reach.",
	}, "[{collection, access: {principal: \"CRUD\"}}]", func(context.Context, []string) (answer, error) {
		registry, err := collection.NewRegistry(platform.Schemas()...)
		if err != nil {
			return answer{}, err
		}
		type row struct {
			Collection string            `json:"collection"`
			Access     map[string]string `json:"access"`
		}
		var rows []row
		for _, r := range access.Table(registry) {
			rows = append(rows, row(r))
		}
		return valued(rows, func(out io.Writer) error {
			_, err := io.WriteString(out, access.Matrix(registry))
			return err
		})
	})
}

func (p process) demoCommand() *cobra.Command {
	return p.answering(&cobra.Command{
		Use: "demo", Short: "Found the demo shop in an empty store.", Args: takes(), Example: "cartwright demo",
	}, "{founded, credentials}: the object of credentials.json, or null when the store was not empty", p.onCore(func(ctx context.Context, k *core, _ []string) (answer, error) {
		news, err := k.seedDemo(ctx, k.config.expectedURL())
		if err != nil {
			return answer{}, err
		}
		told := struct {
			Founded     bool         `json:"founded"`
			Credentials *credentials `json:"credentials"`
		}{news != nil, news}
		if news == nil {
			return valued(told, sentence("The store is not empty: nothing was changed."))
		}
		return valued(told, func(out io.Writer) error { return tell(out, *news, k.config.File(credentialsFile)) })
	}))
}
