package program

import (
	"os"
	"slices"
	"strings"
	"testing"

	providers "github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/payment/toss"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Every provider that a connection can name has an adapter and a setting for its address, which must be https in
// production, and is documented in the README, in the rules and in PROVIDERS.md. Rule payments-35.
func TestEveryProviderIsWired(t *testing.T) {
	t.Parallel()
	config := defaults()
	wired := (&platform{config: config}).providers(providers.NewClient(config.providerLimits(), nil), "http://sandbox.example",
		"http://shop.example")
	readme, rules, facts := read(t, "../../../README.md"), read(t, "../../../features/payments/RULES.md"), read(t,
		"../../../adapters/payment/PROVIDERS.md")
	for _, p := range config.descriptions() {
		name := p.Name
		if name != sandbox.Name { // built in
			checkProviderAddress(t, "CARTWRIGHT_"+strings.ToUpper(name)+"_URL")
			if !strings.Contains(facts, "- **"+name+"-1** ") {
				t.Errorf("PROVIDERS.md has no facts of %s", name)
			}
		}
		if wired[name] == nil {
			t.Errorf("the server has no adapter of %s", name)
		}
		if !strings.Contains(readme, "\n| `"+name+"` | ") {
			t.Errorf("the README does not describe payments with %s", name)
		}
		for _, c := range p.Credentials {
			if len(c.For) > 0 && name != sandbox.Name && !strings.Contains(readme, "`"+c.Name+"`") {
				t.Errorf("the README does not name the credential %s of %s", c.Name, name)
			}
		}
		if !strings.Contains(rules, "`"+name+"`") {
			t.Errorf("the rules of payments do not name %s", name)
		}
	}
}

// A provider that main adds is one of the server's, in its commands, too; one whose name is taken ends the program.
// Rule payments-49.
func TestProvidersOfMainAreTheServers(t *testing.T) {
	t.Parallel()
	added := func(name string) process {
		m := newCommandEnv(t)
		return process{args: []string{"openapi"}, getenv: m.getenv, out: &strings.Builder{}, log: &strings.Builder{}, providers: []NewProvider{
			func(client *providers.Client) ports.Provider { return renamed{toss.New("", client), name} },
		}}
	}
	p := added("acorn")
	if err := run(t.Context(), p); err != nil || !strings.Contains(p.out.(*strings.Builder).String(), `"acorn"`) {
		t.Errorf("the document does not name the provider: %v", err)
	}
	if err := run(t.Context(), added("toss")); err == nil || !strings.Contains(err.Error(), `two payment providers "toss"`) {
		t.Errorf("a name that is taken: %v", err)
	}
}

// renamed is an adapter under another name.
type renamed struct {
	ports.Provider

	name string
}

func (r renamed) Describe() domain.Provider {
	d := r.Provider.Describe()
	d.Name = r.name
	return d
}

func checkProviderAddress(t *testing.T, name string) {
	t.Helper()
	if !slices.ContainsFunc(settings(), func(s setting) bool { return s.Name == name }) {
		t.Errorf("no setting is called %s", name)
		return
	}
	for address, valid := range map[string]bool{"https://pay.example": true, "http://pay.example": false} {
		env := inProduction(map[string]string{name: address})
		_, err := loadConfig(func(variable string) string { return env[variable] })
		if (err == nil) != valid || !valid && !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s in production: %v", name, address, err)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
