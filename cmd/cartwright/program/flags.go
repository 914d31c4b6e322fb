package program

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

// choiceFlag is a flag with a fixed set of values.
type choiceFlag struct {
	value   string
	assign  func(word string)
	allowed []string
}

// String is the chosen value.
func (c *choiceFlag) String() string { return c.value }

// Set chooses a value. Errors: a value outside of the set.
func (c *choiceFlag) Set(word string) error {
	if slices.Contains(c.allowed, word) {
		c.value = word
		c.assign(word)
		return nil
	}
	if near := suggestions(word, c.allowed); len(near) > 0 {
		return fmt.Errorf("unknown value %q; did you mean %s?", word, strings.Join(near, " or "))
	}
	return fmt.Errorf("invalid value %q; must be one of: %s", word, strings.Join(c.allowed, ", "))
}

// Type is the value's name in help.
func (c *choiceFlag) Type() string { return strings.Join(c.allowed, "|") }

// addChoiceFlag gives cmd a flag with a fixed set of values, which shells complete.
func addChoiceFlag[T ~string](cmd *cobra.Command, to *T, name string, value T, usage string, all ...T) {
	*to = value
	words := stringsOf(all)
	cmd.Flags().Var(&choiceFlag{string(value), func(word string) { *to = T(word) }, words}, name, usage)
	// the flag was just declared
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// checkChoiceArg refuses an argument outside of a fixed set. Errors: usageError.
func checkChoiceArg[T ~string](place int, name string, all []T) func(args []string) error {
	return func(args []string) error {
		c := choiceFlag{assign: func(string) {}, allowed: stringsOf(all)}
		if err := c.Set(args[place]); err != nil {
			return usageErrorf("%s: %v", name, err)
		}
		return nil
	}
}

func stringsOf[T ~string](all []T) []string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = string(one)
	}
	return words
}

// Values that several commands share.
var (
	plans = []tenant.Plan{tenant.Free, tenant.Basic, tenant.Pro, tenant.Enterprise}
)

// tenantFlags select the tenant, and for some commands the environment, to work in.
type tenantFlags struct {
	tenant      string
	environment tenant.Environment
}

// tenantFlagHelp explains --tenant.
const tenantFlagHelp = "id, slug or name of the tenant (default: the tenant of credentials.json, or the only tenant)"

// addTenant gives cmd the flag --tenant.
func (w *tenantFlags) addTenant(cmd *cobra.Command) {
	w.environment = tenant.Live
	cmd.Flags().StringVar(&w.tenant, "tenant", "", tenantFlagHelp)
}

// addTenantAndEnvironment gives cmd the flags --tenant and --environment.
func (w *tenantFlags) addTenantAndEnvironment(cmd *cobra.Command) {
	w.addTenant(cmd)
	addChoiceFlag(cmd, &w.environment, "environment", tenant.Live, "environment", tenant.Live, tenant.Test)
}

// confirmation asks for confirmation of an irreversible command.
type confirmation struct{ skip bool }

// addFlag gives cmd the flag --yes.
func (c *confirmation) addFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.skip, "yes", false, "do not ask for confirmation")
}

// errDeclined ends a command that was not confirmed.
var errDeclined = errors.New("nothing was changed")

// require asks for confirmation of question with the first argument, unless --yes was given. Errors:
// usageError without a terminal, errDeclined.
func (c *confirmation) require(p process, question string) func(args []string) error {
	return func(args []string) error {
		if c.skip {
			return nil
		}
		return p.confirm(fmt.Sprintf(question, args[0]))
	}
}

func (p process) confirm(question string) error {
	in, ok := p.in.(interface{ Fd() uintptr })
	if !ok || !isatty.IsTerminal(in.Fd()) {
		return usageErrorf("%s Confirmation needs a terminal: add --yes to continue.", question)
	}
	if _, err := fmt.Fprintf(p.log, "%s [y/N] ", question); err != nil {
		return err
	}
	reply, _ := bufio.NewReader(p.in).ReadString('\n') // no reply means no
	switch strings.ToLower(strings.TrimSpace(reply)) {
	case "y", "yes":
		return nil
	}
	return errDeclined
}
