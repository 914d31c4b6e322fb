package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// runProcess runs one command line as a process of its own, without a terminal.
func (m commandEnv) runProcess(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asServer+"=1")
	for name, value := range m.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil {
		if _, ended := errors.AsType[*exec.ExitError](err); !ended {
			t.Fatal(err)
		}
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// runJSON runs a command line with --json and decodes its output. It fails the test if the command fails.
func (m commandEnv) runJSON(t *testing.T, args ...string) map[string]any {
	t.Helper()
	out, stderr, code := m.runProcess(t, append(args, "--json")...)
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil || code != 0 {
		t.Fatalf("cartwright %s: %d %v\n%s\n%s", strings.Join(args, " "), code, err, out, stderr)
	}
	return v
}

// everyCommand calls fn with each command, without those that cobra adds.
func everyCommand(t *testing.T, fn func(*cobra.Command)) {
	t.Helper()
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		fn(c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(process{out: io.Discard, log: io.Discard}.commands())
}

func TestEveryCommandHasHelp(t *testing.T) {
	t.Parallel()
	everyCommand(t, func(c *cobra.Command) {
		path := c.CommandPath()
		if !strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s has no description that is a sentence: %q", path, c.Short)
		}
		if c.HasSubCommands() && c.HasParent() {
			return // a group of commands
		}
		if !strings.HasPrefix(strings.TrimSpace(c.Example), "cartwright ") && !strings.Contains(c.Example, " cartwright ") {
			t.Errorf("%s has no example", path)
		}
		shape := c.Flags().Lookup("json")
		reason := c.Annotations[noJSONReason]
		if (shape == nil) == (reason == "") || shape != nil && !strings.HasPrefix(shape.Usage, "print JSON: ") {
			t.Errorf("%s needs a flag --json that describes its output, or a reason to have none", path)
		}
	})
}

// Every change of a help text is reviewed.
func TestHelpMatchesGolden(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	everyCommand(t, func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		var out bytes.Buffer
		c.SetOut(&out)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "==== %s ====\n%s\n", c.CommandPath(), strings.TrimRight(out.String(), "\n"))
	})
	compareGolden(t, "testdata/help.golden", all.String())
}

// The error of an invalid command line names the mistake and what was probably meant. Nothing is opened or printed.
func TestUsageErrorsNameTheProblem(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"tenantt":                                  `cartwright: unknown command "tenantt"; did you mean "tenant"?`,
		"nonsense":                                 `available commands: `,
		"tenant creat":                             `cartwright tenant: unknown command "creat"; did you mean "create"?`,
		"key delete":                               `available commands: create, list, revoke, rotate`,
		"tenant create":                            "--name is missing: name of the shop",
		"tenant create --nam X":                    "cartwright tenant create: unknown flag --nam; did you mean --name?",
		"tenant create --name":                     "flag needs an argument: --name",
		"tenant create --name X extra":             `cartwright tenant create takes no arguments, got "extra"`,
		"tenant create --name X --plan gold":       `--plan: invalid value "gold"; must be one of: free, basic, pro, enterprise`,
		"tenant create --name X --plan enterpricy": `--plan: unknown value "enterpricy"; did you mean enterprise?`,
		"tenant list --limit 0":                    "--limit: must be from 1 to 500",
		"tenant list --limit 501":                  "--limit: must be from 1 to 500",
		"tenant list --limit many":                 "--limit: ",
		"tenant list --page 0":                     "--page: must be at least 1",
		"tenant plan":                              "PLAN is missing: cartwright tenant plan PLAN",
		"tenant plan por":                          `PLAN: unknown value "por"; did you mean pro?`,
		"tenant plan pro basic":                    `unexpected argument "basic": cartwright tenant plan PLAN`,
		"key revoke":                               "KEY is missing: cartwright key revoke KEY",
		"key revoke some":                          "Confirmation needs a terminal: add --yes to continue.",
		"key rotate some":                          "Confirmation needs a terminal: add --yes to continue.",
		"key create --kind public":                 `--kind: invalid value "public"; must be one of: client, secret`,
		"key create --environment prod":            `--environment: invalid value "prod"; must be one of: live, test`,
		"user create":                              "--email is missing: email address to log in with",
		"user role kim@shop.example":               "ROLE is missing: cartwright user role EMAIL ROLE",
		"user remove kim@shop.example":             "kim@shop.example will lose access to this tenant.",
		"import":                                   "FILE is missing: cartwright import FILE…",
		"import --format csv f":                    `--format: invalid value "csv"; must be one of: shopify`,
		"states --format png":                      `--format: invalid value "png"; must be one of: mermaid, text`,
		"doctor --json --money":                    "--json cannot be combined with --money or --records",
		"doctor --provider":                        "--tenant and --provider need --money",
		"doctor now":                               `cartwright doctor takes no arguments, got "now"`,
		"migrate --dry-run --refill":               "dry-run refill",
		"version --jsn":                            "cartwright version: unknown flag --jsn; did you mean --json?",
		"version -x":                               "cartwright version: unknown flag -x",
		"webhooks list --envronment test":          "cartwright webhooks list: unknown flag --envronment; did you mean --environment?",
		"webhooks create":                          "--url is missing: URL that deliveries are sent to",
		"webhooks deliveries --status dad":         `--status: unknown value "dad"; did you mean dead?`,
		"webhooks redeliver":                       "DELIVERY is missing: cartwright webhooks redeliver DELIVERY",
		"webhooks delete some":                     "Confirmation needs a terminal: add --yes to continue.",
		"events replay":                            "ENDPOINT is missing: cartwright events replay ENDPOINT",
		"events replay some":                       "--from is missing: first event",
		"events tale":                              `cartwright events: unknown command "tale"; did you mean "tail"?`,
		"fulfillments export --format pdf":         `--format: invalid value "pdf"; must be one of: csv, xlsx`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			m := commandEnv{map[string]string{"CARTWRIGHT_DATA": "/nowhere/at/all"}} // opening it would be another error
			out, err := m.command(t, strings.Fields(line)...)
			if err == nil || exitCode(err) != exitUsage || !strings.Contains(err.Error(), want) ||
				!strings.Contains(err.Error(), "--help") {
				t.Errorf("got %v", err)
			}
			if out != "" {
				t.Errorf("printed %q", out)
			}
		})
	}
}

func TestCommandsPrintOnlyTheirResultAndSetExitCode(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	m.must(t, "migrate")
	m.must(t, "tenant", "create", "--name", "Corner Shop")
	m.must(t, "tenant", "create", "--name", "Corner Shop", "--slug", "corner-two", "--admin", "kim@shop.example")
	for line, want := range map[string]struct {
		code        int
		out, stderr string
	}{
		"version":                          {0, "cartwright " + version, ""},
		"--version":                        {0, "cartwright version " + version, ""},
		"tenant list":                      {0, "corner-shop", ""},
		"tenant lst":                       {exitUsage, "", `did you mean "list"?`},
		"tenant create --name X --slug":    {exitUsage, "", "flag needs an argument"},
		"tenant show --tenant cornershop":  {exitFailed, "", `there is no tenant "cornershop"; did you mean corner-shop?`},
		"tenant show":                      {exitFailed, "", "choose one with --tenant: corner-shop, corner-two"},
		"tenant show --tenant nobody":      {exitFailed, "", `there is no tenant "nobody"; there are: corner-shop, corner-two`},
		"tenant show --tenant=Corner~Shop": {exitFailed, "", "use the slug or id"},
		"key revoke nothing --yes --tenant corner-two": {
			exitFailed, "", `this tenant has no API key "nothing"; cartwright key list lists their ids`,
		},
		"key create --scopes fly --tenant corner-two":        {exitUsage, "", "--scopes: "},
		"user password who@shop.example":                     {exitFailed, "", `"who@shop.example"`},
		"user create --email nobody --tenant corner-two":     {exitUsage, "", "--email: "},
		"events replay some --from now --tenant corner-two":  {exitUsage, "", "--from: Enter a time such as"},
		"events replay some --from 1 --tenant corner-two":    {exitFailed, "", "cartwright webhooks list lists their ids"},
		"events list --collection ordrs --tenant corner-two": {exitUsage, "", `--collection: "ordrs" is not a known collection.`},
		"events list --after 9000 --tenant corner-two":       {exitFailed, "", "cartwright: "},
		"webhooks create --url gopher --tenant corner-two":   {exitUsage, "", "--url: "},
		"webhooks redeliver some --tenant corner-two":        {exitFailed, "", "cartwright webhooks deliveries lists their ids"},
		"import nowhere.csv --tenant corner-two":             {exitFailed, "", "nowhere.csv"},
		"import --rate many --tenant corner-two " + shopFile: {exitUsage, "", `--rate: "many" is not a number`},
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(line)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "~", " ")
			}
			out, stderr, code := m.runProcess(t, args...)
			if code != want.code || !strings.Contains(out, want.out) || !strings.Contains(stderr, want.stderr) {
				t.Errorf("%d\n%s\n%s", code, out, stderr)
			}
			if (want.out == "") != (out == "") || (want.stderr == "") != (stderr == "") {
				t.Errorf("results belong on standard output and messages on standard error: %q, %q", out, stderr)
			}
		})
	}
}
