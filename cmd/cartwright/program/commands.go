package program

import (
	"context"
	"io"
	"log/slog"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// commands is the command line. Without a command the server runs.
func (p process) commands() *cobra.Command {
	root := &cobra.Command{
		Use:   "cartwright",
		Short: "A multi-tenant commerce server: catalog, carts, checkouts, payments, orders.",
		Long: "A multi-tenant commerce server: catalog, carts, checkouts, payments, orders. Without a command it runs the server.\n\n" +
			commonHelp,
		Example:       "cartwright\ncartwright tenant create --name \"My Shop\" --json",
		Version:       version,
		Annotations:   withoutJSON("it runs the server"),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          requireKnownSubcommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context()) },
	}
	root.SetFlagErrorFunc(explainFlagError)
	root.AddCommand(
		p.serveCommand(), p.sandboxCommand(), p.migrateCommand(), p.demoCommand(), p.doctorCommand(), p.healthCommand(), p.backupCommand(),
		p.restoreCommand(), p.configCommand(), p.secretsCommand(), p.tenantCommand(), p.keyCommand(), p.userCommand(), p.customerCommand(), p.webhooksCommand(),
		p.eventsCommand(), p.usageCommand(), p.reportsCommand(), p.accessCommand(), p.statesCommand(), p.importCommand(), p.exportCommand(),
		p.fulfillmentsCommand(), p.graphqlSchemaCommand(), p.openapiCommand(), p.versionCommand(),
	)
	wrapCommandErrors(root)
	return root
}

// commonHelp is help text shared by all commands.
const commonHelp = `Commands print only their result to standard output; with --json it is the API's own response wherever the API
has one. Logs and progress go to standard error. The exit code is 0 on success, 1 when the command
failed, and 2 when the command line was wrong and nothing was started. All commands can run while servers run.`

// withCore runs fn on an opened store. It makes none: where a command finds no database, its settings name the wrong
// place, and what it did to an empty shop would be lost. Errors: errNoDatabase. Rule running-19.
func (p process) withCore(ctx context.Context, fn func(context.Context, *core) error) error {
	c, err := p.config()
	if err == nil {
		err = c.requireDatabase(ctx, p.logger(c))
	}
	if err != nil {
		return err
	}
	return p.withNewCore(ctx, fn)
}

// withNewCore is withCore for commands that make the database where there is none.
func (p process) withNewCore(ctx context.Context, fn func(context.Context, *core) error) error {
	c, err := p.config()
	if err != nil {
		return err
	}
	k, err := openCore(ctx, c, nil, p.logger(c))
	if err != nil {
		return err
	}
	err = fn(ctx, k)
	if e := k.Close(); err == nil {
		err = e
	}
	return err
}

// logger writes text in development on a terminal, JSON elsewhere, unless a setting decides. Lines logged while
// a request is served have its id.
func (p process) logger(c Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // validated with the configuration
	o := &slog.HandlerOptions{Level: level}
	if c.LogFormat == textLog || c.LogFormat == "" && c.Mode == Development && terminal(p.log) {
		return slog.New(rest.WithRequestAttrs(slog.NewTextHandler(p.log, o)))
	}
	return slog.New(rest.WithRequestAttrs(slog.NewJSONHandler(p.log, o)))
}

// serverLogger is logger with a buffer, since servers log many lines; flush writes the buffered ones.
func (p process) serverLogger(c Config) (log *slog.Logger, flush func()) {
	if terminal(p.log) {
		return p.logger(c), func() {}
	}
	l := &logBuffer{out: p.log}
	p.log = l
	return slog.New(rest.WithRequestAttrs(flushOnWarning{p.logger(c).Handler(), l})), l.flush
}

// terminal reports whether w is a terminal.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (p process) versionCommand() *cobra.Command {
	return p.jsonCommand(&cobra.Command{
		Use: "version", Short: "Print the version.", Args: exactArgs(), Example: "cartwright version",
	}, "{version, go, os, arch}", func(context.Context, []string) (commandResult, error) {
		return jsonResult(map[string]string{"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH},
			textLine("cartwright %s (%s, %s/%s)", version, runtime.Version(), runtime.GOOS, runtime.GOARCH))
	})
}

func (p process) accessCommand() *cobra.Command {
	return p.jsonCommand(&cobra.Command{
		Use: "access", Short: "Print who may do what.", Args: exactArgs(), Example: "cartwright access",
		Long: "Print the access rules of every collection, Create, Read, Update, Delete (a lower-case letter means only some of the records), and who may run which operations of the back office.",
	}, "{collections: [{collection, access: {principal: \"CRUD\"}}], permissions: [{permission, description, roles}]}", func(context.Context, []string) (commandResult, error) {
		registry, err := Config{Providers: p.providers}.newRegistry()
		if err != nil {
			return commandResult{}, err
		}
		return jsonResult(accessReport(registry), func(out io.Writer) error {
			_, err := io.WriteString(out, access.FormatTable(registry)+"\n"+access.FormatOperations())
			return err
		})
	})
}

// accessReport is what the command access prints as JSON.
func accessReport(registry *collection.Registry) any {
	type row struct {
		Collection string            `json:"collection"`
		Access     map[string]string `json:"access"`
	}
	type permission struct {
		Permission  tenant.Permission `json:"permission"`
		Description string            `json:"description"`
		Roles       []tenant.Role     `json:"roles"`
	}
	report := struct {
		Collections []row        `json:"collections"`
		Permissions []permission `json:"permissions"`
	}{}
	for _, r := range access.Table(registry) {
		report.Collections = append(report.Collections, row(r))
	}
	for _, p := range access.Permissions(registry) {
		report.Permissions = append(report.Permissions, permission{p.Permission, p.Doc, p.Roles})
	}
	return report
}

func (p process) demoCommand() *cobra.Command {
	return p.jsonCommand(&cobra.Command{
		Use: "demo", Short: "Create the demo shop in an empty database.", Args: exactArgs(), Example: "cartwright demo",
	}, "{founded, credentials}: the object of credentials.json, or null when the database was not empty",
		runOn(p.withNewCore, func(ctx context.Context, k *core, _ []string) (commandResult, error) {
			created, err := k.seedDemo(ctx, k.config.expectedURL())
			if err != nil {
				return commandResult{}, err
			}
			result := struct {
				Founded     bool         `json:"founded"`
				Credentials *credentials `json:"credentials"`
			}{created != nil, created}
			if created == nil {
				return jsonResult(result, textLine("The database is not empty: nothing was changed."))
			}
			return jsonResult(result, func(out io.Writer) error { return printCredentials(out, *created, k.config.File(credentialsFile)) })
		}))
}
