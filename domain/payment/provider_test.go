package payment

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

var acme = Provider{
	Name: "acme", Title: "Acme Pay", Kinds: []Kind{Hosted, Standard},
	Credentials: []Credential{
		{Name: "secret", Doc: "API secret", Secret: true, For: []Kind{Hosted, Standard}},
		{Name: "channel", Doc: "channel", For: []Kind{Standard}, Prefixes: []string{"c", "k"}},
		{Name: "country", Doc: "default country"},
		{Name: "sub", Doc: `id of an account, "acct_…"`, Form: regexp.MustCompile(`^acct_[0-9]+$`), IsAccount: true},
	},
}

func TestProviderSupportsItsKinds(t *testing.T) {
	t.Parallel()
	for k, want := range map[Kind]bool{Widget: false, Hosted: true, Standard: true, Custom: false} {
		if acme.Supports(k) != want {
			t.Errorf("%s: %v", k, !want)
		}
	}
}

func TestCredentialsOpenAtLeastOneKind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		given  map[string]string
		fields []string
	}{
		"all":                        {map[string]string{"secret": "s", "channel": "c", "country": "KR"}, nil},
		"enough for hosted sessions": {map[string]string{"secret": "s"}, nil},
		"none":                       {map[string]string{}, []string{"credentials.secret"}},
		"not enough for any":         {map[string]string{"channel": "c"}, []string{"credentials.secret"}},
		"an empty one":               {map[string]string{"secret": ""}, []string{"credentials.secret"}},
		"a name with a typing error": {map[string]string{"secret": "s", "chanel": "c"}, []string{"credentials.chanel"}},
		"several problems, by name": {
			map[string]string{"zeal": "z", "apiKey": "a"}, []string{"credentials.apiKey", "credentials.secret", "credentials.zeal"},
		},
		"the connection's account":    {map[string]string{"secret": "s", "sub": "acct_1"}, nil},
		"another account":             {map[string]string{"secret": "s", "sub": "acct_2"}, []string{"credentials.sub"}},
		"not of its form":             {map[string]string{"secret": "s", "sub": "acct_1\nx"}, []string{"credentials.sub"}},
		"a line break":                {map[string]string{"secret": "s\n"}, []string{"credentials.secret"}},
		"letters that no key has":     {map[string]string{"secret": "sé"}, []string{"credentials.secret"}},
		"not of its beginning":        {map[string]string{"secret": "s", "channel": "d"}, []string{"credentials.channel"}},
		"optional ones are no matter": {map[string]string{"country": "KR"}, []string{"credentials.secret"}},
	} {
		err := acme.CheckCredentials("acct_1", c.given)
		var got []string
		for _, f := range fault.From(err).Fields {
			got = append(got, f.Field)
		}
		if (err == nil) != (c.fields == nil) || err != nil && !slices.Equal(got, c.fields) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDescriptionsAreChecked(t *testing.T) {
	t.Parallel()
	acme := acme
	acme.Account, acme.Methods = "shop id", []string{"CARD_KR"}
	for name, c := range map[string]struct {
		change  func(*Provider)
		problem string // in the error; "" for none
	}{
		"a provider":         {func(*Provider) {}, ""},
		"no name":            {func(p *Provider) { p.Name = "" }, `"" needs a name`},
		"a name for people":  {func(p *Provider) { p.Name = "Acme Pay" }, "needs a name"},
		"a taken name":       {func(p *Provider) { p.Name = "first" }, `two payment providers "first"`},
		"the name of custom": {func(p *Provider) { p.Name = CustomProvider }, "two payment providers"},
		"no title":           {func(p *Provider) { p.Title = "" }, "needs a title"},
		"no account":         {func(p *Provider) { p.Account = "" }, "the name of its account key"},
		"no kind":            {func(p *Provider) { p.Kinds, p.Methods = nil, nil }, "and a kind of session"},
		"an unknown kind":    {func(p *Provider) { p.Kinds = []Kind{Hosted, "barter"} }, "hosted_v2 and barter"},
		"custom sessions":    {func(p *Provider) { p.Kinds = []Kind{Hosted, Custom} }, "there is not"},
		"an unknown method":  {func(p *Provider) { p.Methods = []string{"CARD_KR", "SHELLS"} }, "CARD_KR, SHELLS"},
		"no method":          {func(p *Provider) { p.Methods = nil }, "needs methods for hosted sessions"},
		"tax at no session":  {func(p *Provider) { p.TaxFree = []Kind{Widget} }, "does not have: widget"},
		"methods of no page": {func(p *Provider) { p.Kinds = []Kind{Widget} }, "and for no others"},
	} {
		first, second := acme, acme
		first.Name = "first"
		c.change(&second)
		if err := CheckProviders([]Provider{first, second}); (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemasNameTheProvidersOfTheServer(t *testing.T) {
	t.Parallel()
	connections, sessions, transactions, disputes := Schemas([]Provider{acme})
	for _, s := range []*collection.Schema{connections, sessions, transactions, disputes} {
		i := slices.IndexFunc(s.Fields, func(f collection.Field) bool { return f.Name == "provider" })
		if got := s.Fields[i].Options; !slices.Equal(got, []string{"acme", "custom"}) {
			t.Errorf("%s: %v", s.Slug, got)
		}
	}
	i := slices.IndexFunc(connections.Fields, func(f collection.Field) bool { return f.Name == "credentials" })
	for _, c := range acme.Credentials {
		if !strings.Contains(connections.Fields[i].Doc, c.Name+" ("+c.Doc) {
			t.Errorf("%s is not described: %s", c.Name, connections.Fields[i].Doc)
		}
	}
	if i := slices.IndexFunc(Connections.Fields, func(f collection.Field) bool { return f.Name == "provider" }); Connections.Fields[i].Options != nil {
		t.Error("the domain's own declaration was changed")
	}
}
