package payment

import "slices"

// providers are the payment providers, each with the kinds of session that its adapter can open. Rule
// payments-35.
var providers = []struct {
	name  string
	kinds []Kind
}{
	{"sandbox", []Kind{Widget, Hosted, Standard}},
	{"toss", []Kind{Widget}},
	{"portone", []Kind{Hosted, Standard}},
	{"stripe", []Kind{Hosted}},
	{"custom", []Kind{Custom}},
}

// Providers are the names of the payment providers that a connection can use.
var Providers = providerNames()

func providerNames() (names []string) {
	for _, p := range providers {
		names = append(names, p.name)
	}
	return names
}

// Supports reports whether sessions of a kind can be opened at a provider.
func Supports(provider string, k Kind) bool {
	for _, p := range providers {
		if p.name == provider {
			return slices.Contains(p.kinds, k)
		}
	}
	return false
}
