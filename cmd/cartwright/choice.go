package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// choice is the value of a flag, one of a few words.
type choice struct {
	now string
	set func(word string)
	all []string
}

// String is the word chosen.
func (c *choice) String() string { return c.now }

// Set chooses. Errors: a word that is none of them.
func (c *choice) Set(word string) error {
	if slices.Contains(c.all, word) {
		c.now = word
		c.set(word)
		return nil
	}
	if near := meant(word, c.all); len(near) > 0 {
		return fmt.Errorf("%q is not known; did you mean %s?", word, strings.Join(near, " or "))
	}
	return fmt.Errorf("%q is none of: %s", word, strings.Join(c.all, ", "))
}

// Type is what help calls the value.
func (c *choice) Type() string { return strings.Join(c.all, "|") }

// oneOf gives cmd a flag that takes one of a few words, which shells complete.
func oneOf[T ~string](cmd *cobra.Command, to *T, name string, value T, usage string, all ...T) {
	*to = value
	words := wordsOf(all)
	cmd.Flags().Var(&choice{string(value), func(word string) { *to = T(word) }, words}, name, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // the flag was just declared
}

// oneArgument refuses an argument that is none of a few words. Errors: mistake.
func oneArgument[T ~string](place int, name string, all []T) func(args []string) error {
	return func(args []string) error {
		c := choice{set: func(string) {}, all: wordsOf(all)}
		if err := c.Set(args[place]); err != nil {
			return mistaken("%s: %v", name, err)
		}
		return nil
	}
}

func wordsOf[T ~string](all []T) []string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = string(one)
	}
	return words
}

// The choices that several commands offer.
var (
	plans = []tenant.Plan{tenant.Free, tenant.Basic, tenant.Pro, tenant.Enterprise}
	roles = []tenant.Role{tenant.PlatformAdmin, tenant.Admin, tenant.Editor, tenant.Viewer}
)

// whose says in which tenant, and where it matters in which environment, a command works.
type whose struct {
	tenant      string
	environment tenant.Environment
}

// tenantFlag explains --tenant, which most commands have.
const tenantFlag = "id, slug or name of the tenant; the one of credentials.json, or the only one, when missing"

// ask gives cmd the flag --tenant.
func (w *whose) ask(cmd *cobra.Command) {
	w.environment = tenant.Live
	cmd.Flags().StringVar(&w.tenant, "tenant", "", tenantFlag)
}

// askBoth gives cmd the flags --tenant and --environment.
func (w *whose) askBoth(cmd *cobra.Command) {
	w.ask(cmd)
	oneOf(cmd, &w.environment, "environment", tenant.Live, "environment", tenant.Live, tenant.Test)
}

// consent asks a person before what cannot be taken back.
type consent struct{ given bool }

// ask gives cmd the flag --yes.
func (c *consent) ask(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.given, "yes", false, "do it without asking")
}

// errDeclined ends a command of which a person thought better.
var errDeclined = errors.New("nothing was changed")

// to has a person agree to what the question says of the first argument, unless they did on the command line. Errors:
// mistake where there is nobody to ask, errDeclined.
func (c *consent) to(p process, question string) func(args []string) error {
	return func(args []string) error {
		if c.given {
			return nil
		}
		return p.agree(fmt.Sprintf(question, args[0]))
	}
}

func (p process) agree(question string) error {
	in, ok := p.in.(interface{ Fd() uintptr })
	if !ok || !isatty.IsTerminal(in.Fd()) {
		return mistaken("%s There is nobody to ask here: add --yes to go on.", question)
	}
	if _, err := fmt.Fprintf(p.log, "%s [y/N] ", question); err != nil {
		return err
	}
	reply, _ := bufio.NewReader(p.in).ReadString('\n') // no reply is no consent
	switch strings.ToLower(strings.TrimSpace(reply)) {
	case "y", "yes":
		return nil
	}
	return errDeclined
}
