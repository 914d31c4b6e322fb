package tenant

import "testing"

func TestActorsAreStoredAndReadBack(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]Actor{
		"":                         {},
		"user console u1":          {Kind: User, ID: "u1", Via: ViaConsole},
		"anonymous api":            {Kind: Anonymous, Via: ViaAPI},
		"provider webhook toss":    {Kind: Provider, ID: "toss", Via: ViaWebhook},
		"system sweep":             Server,
		"secret-key import k1 - 2": {Kind: SecretKey, ID: "k1 - 2", Via: ViaImport},
	} {
		if got := a.String(); got != want || ParseActor(got) != a {
			t.Errorf("%+v is stored as %q and read as %+v", a, got, ParseActor(got))
		}
	}
}

func TestActorOfAPrincipal(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Principal{
		"user api u1":       {Kind: User, ID: "u1"},
		"user console u1":   {Kind: User, ID: "u1", Via: ViaConsole},
		"anonymous api":     {Kind: ClientKey, ID: "k1"},
		"secret-key api k1": {Kind: SecretKey, ID: "k1"},
		"customer api c1":   {Kind: Customer, ID: "c1", ClientKeyID: "k1"},
		"system sweep":      {Kind: System, ID: "live"},
		"system import":     {Kind: System, Via: ViaImport},
	} {
		if got := p.Actor().String(); got != want {
			t.Errorf("%+v acts as %q, want %q", p, got, want)
		}
	}
	if got := (Principal{}).Actor().String(); got != "anonymous api" {
		t.Errorf("nobody acts as %q", got)
	}
	if got := (Actor{Kind: Customer, ID: "c1"}).Or(Server); got != (Actor{Customer, "c1", ViaSweep}) {
		t.Errorf("a customer whose order was placed later: %+v", got)
	}
}
