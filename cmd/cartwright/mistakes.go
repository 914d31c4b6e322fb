package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// How a command ends.
const (
	exitFailed = 1 // it could not be done
	exitUsage  = 2 // the command line makes no sense; nothing was begun
)

// mistake is an error of the command line itself.
type mistake struct{ text string }

// Error is what is wrong and what would be right.
func (m *mistake) Error() string { return m.text }

func mistaken(format string, args ...any) error { return &mistake{fmt.Sprintf(format, args...)} }

// failure is what went wrong while a command was carried out.
type failure struct{ error }

// Unwrap is what went wrong.
func (f failure) Unwrap() error { return f.error }

// exitCode tells callers whether to correct the command line or the world.
func exitCode(err error) int {
	if _, wrong := errors.AsType[*mistake](err); wrong {
		return exitUsage
	}
	return exitFailed
}

// failing has cmd and those below it tell what went wrong while they ran from what was wrong with how they were called, which cobra
// finds before. Their examples are set in, as help has them.
func failing(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			err := flagged(cmd, run(cmd, args))
			if _, wrong := errors.AsType[*mistake](err); err == nil || wrong {
				return err
			}
			return failure{spelled(err)}
		}
	}
	if cmd.Example != "" {
		cmd.Example = "  " + strings.ReplaceAll(cmd.Example, "\n", "\n  ")
	}
	for _, sub := range cmd.Commands() {
		failing(sub)
	}
}

// flagged is a refusal of values as a mistake in the flags of the same names, if all of them have one.
func flagged(cmd *cobra.Command, err error) error {
	f, is := errors.AsType[*fault.Error](err)
	if !is || f.Kind != fault.Invalid || len(f.Fields) == 0 {
		return err
	}
	var told []string
	for _, field := range f.Fields {
		name, _, _ := strings.Cut(field.Field, ".")
		if cmd.Flags().Lookup(name) == nil {
			return err
		}
		told = append(told, fmt.Sprintf("--%s: %s", name, field.Message))
	}
	return &mistake{strings.Join(told, "\n")}
}

// corrected is an error of cmd as people are told it: what was wrong, what may have been meant, and where to read on.
func corrected(cmd *cobra.Command, err error) error {
	if _, failed := errors.AsType[failure](err); err == nil || failed {
		return err
	}
	text := err.Error()
	if missing := missingFlags(cmd); strings.HasPrefix(text, "required flag") && len(missing) > 0 {
		text = strings.Join(missing, "\n")
	}
	return &mistake{text + "\nSee: " + cmd.CommandPath() + " --help"}
}

// missingFlags says what was left out, and what it is.
func missingFlags(cmd *cobra.Command) (told []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if required := f.Annotations[cobra.BashCompOneRequiredFlag]; len(required) > 0 && !f.Changed {
			told = append(told, fmt.Sprintf("--%s is missing: %s", f.Name, f.Usage))
		}
	})
	return told
}

// wrongFlag explains an error in the flags of cmd.
func wrongFlag(cmd *cobra.Command, err error) error {
	if invalid, is := errors.AsType[*pflag.InvalidValueError](err); is {
		return mistaken("--%s: %v", invalid.GetFlag().Name, errors.Unwrap(invalid))
	}
	unknown, is := errors.AsType[*pflag.NotExistError](err)
	if !is {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	text := fmt.Sprintf("%s has no flag %s", cmd.CommandPath(), dashed(unknown.GetSpecifiedName()))
	if near := meant(unknown.GetSpecifiedName(), names); len(near) > 0 {
		return mistaken("%s; did you mean --%s?", text, strings.Join(near, " or --"))
	}
	return mistaken("%s", text)
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// meant are the words that somebody who wrote word may have meant; cobra knows how to tell.
func meant(word string, words []string) []string {
	group := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, w := range words {
		group.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	near := group.SuggestionsFor(word)
	slices.Sort(near)
	return slices.Compact(near)
}

// group is a command that only has others, and says which when it is asked for one it does not have.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{Use: use, Short: short, Args: anyOf, RunE: helpOnly}
	g.AddCommand(commands...)
	return g
}

func helpOnly(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// anyOf refuses what is none of the commands of cmd.
func anyOf(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if near := meant(args[0], names); len(near) > 0 {
		return mistaken("%s has no command %q; did you mean %q?", cmd.CommandPath(), args[0], strings.Join(near, `" or "`))
	}
	return mistaken("%s has no command %q; it has: %s", cmd.CommandPath(), args[0], strings.Join(names, ", "))
}

// takes are the arguments of a command by their names, all of them needed.
func takes(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return mistaken("%s is missing: %s", names[len(args)], cmd.UseLine())
		case len(args) > len(names) && len(names) == 0:
			return mistaken("%s takes no arguments, and there is %q", cmd.CommandPath(), args[0])
		case len(args) > len(names):
			return mistaken("%q is too much: %s", args[len(names)], cmd.UseLine())
		}
		return nil
	}
}

// takesSome is takes for a command that takes one or more of the same.
func takesSome(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return takes(name)(cmd, args)
		}
		return nil
	}
}
