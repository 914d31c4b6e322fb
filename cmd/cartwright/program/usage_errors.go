package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Exit codes.
const (
	exitFailed = 1 // execution failed
	exitUsage  = 2 // invalid command line; nothing was done
)

// usageError is an error in the command line.
type usageError struct{ message string }

// Error is the problem and the correct form.
func (m *usageError) Error() string { return m.message }

func usageErrorf(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// runError is an error of the execution of a command.
type runError struct{ error }

// Unwrap returns the underlying error.
func (f runError) Unwrap() error { return f.error }

// exitCode distinguishes an invalid command line from a failed execution.
func exitCode(err error) int {
	if _, wrong := errors.AsType[*usageError](err); wrong {
		return exitUsage
	}
	return exitFailed
}

// wrapCommandErrors marks errors of the execution of cmd and its subcommands as runError, in contrast to
// errors of the command line, which cobra finds before. It also indents the examples for help.
func wrapCommandErrors(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			err := asFlagErrors(cmd, run(cmd, args))
			if _, wrong := errors.AsType[*usageError](err); err == nil || wrong {
				return err
			}
			return runError{describeFault(err)}
		}
	}
	if cmd.Example != "" {
		cmd.Example = "  " + strings.ReplaceAll(cmd.Example, "\n", "\n  ")
	}
	for _, sub := range cmd.Commands() {
		wrapCommandErrors(sub)
	}
}

// asFlagErrors turns a refusal of values into an error about the flags of the same names, if all of them have
// one.
func asFlagErrors(cmd *cobra.Command, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.Invalid || len(f.Fields) == 0 {
		return err
	}
	var messages []string
	for _, field := range f.Fields {
		name, _, _ := strings.Cut(field.Field, ".")
		if cmd.Flags().Lookup(name) == nil {
			return err
		}
		messages = append(messages, fmt.Sprintf("--%s: %s", name, field.Message))
	}
	return &usageError{strings.Join(messages, "\n")}
}

// withHelpHint is an error of cmd as people see it: the problem, suggestions, and how to get help.
func withHelpHint(cmd *cobra.Command, err error) error {
	if _, failed := errors.AsType[runError](err); err == nil || failed {
		return err
	}
	text := err.Error()
	if missing := missingFlags(cmd); strings.HasPrefix(text, "required flag") && len(missing) > 0 {
		text = strings.Join(missing, "\n")
	}
	return &usageError{text + "\nSee: " + cmd.CommandPath() + " --help"}
}

// missingFlags lists the missing flags with their descriptions.
func missingFlags(cmd *cobra.Command) (messages []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if required := f.Annotations[cobra.BashCompOneRequiredFlag]; len(required) > 0 && !f.Changed {
			messages = append(messages, fmt.Sprintf("--%s is missing: %s", f.Name, f.Usage))
		}
	})
	return messages
}

// explainFlagError explains an error in the flags of cmd.
func explainFlagError(cmd *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return usageErrorf("--%s: %v", invalid.GetFlag().Name, errors.Unwrap(invalid))
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	text := fmt.Sprintf("%s: unknown flag %s", cmd.CommandPath(), withDashes(unknown.GetSpecifiedName()))
	if near := suggestions(unknown.GetSpecifiedName(), names); len(near) > 0 {
		return usageErrorf("%s; did you mean --%s?", text, strings.Join(near, " or --"))
	}
	return usageErrorf("%s", text)
}

func withDashes(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// suggestions are similar words, by cobra's measure.
func suggestions(word string, words []string) []string {
	group := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, w := range words {
		group.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	near := group.SuggestionsFor(word)
	slices.Sort(near)
	return slices.Compact(near)
}

// group is a command that only has subcommands, and lists them when it gets an unknown one.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{Use: use, Short: short, Args: requireKnownSubcommand, RunE: showHelp}
	g.AddCommand(commands...)
	return g
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// requireKnownSubcommand refuses an unknown subcommand of cmd.
func requireKnownSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if near := suggestions(args[0], names); len(near) > 0 {
		return usageErrorf("%s: unknown command %q; did you mean %q?", cmd.CommandPath(), args[0], strings.Join(near, `" or "`))
	}
	return usageErrorf("%s: unknown command %q; available commands: %s", cmd.CommandPath(), args[0], strings.Join(names, ", "))
}

// exactArgs requires exactly the named arguments.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usageErrorf("%s is missing: %s", names[len(args)], cmd.UseLine())
		case len(args) > len(names) && len(names) == 0:
			return usageErrorf("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
		case len(args) > len(names):
			return usageErrorf("unexpected argument %q: %s", args[len(names)], cmd.UseLine())
		}
		return nil
	}
}

// atLeastOneArg requires one or more of the named argument.
func atLeastOneArg(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exactArgs(name)(cmd, args)
		}
		return nil
	}
}
