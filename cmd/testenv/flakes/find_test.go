package main

import (
	"slices"
	"testing"
)

// Tests that start processes are found through any number of helpers; other tests are not listed.
func TestFindsTestsThatStartProcesses(t *testing.T) {
	t.Parallel()
	all, err := find("../../cartwright/program", "../../../adapters", "../../../app/metering")
	if err != nil {
		t.Fatal(err)
	}
	in := map[string][]string{}
	for _, p := range all {
		in[p.dir] = p.tests
	}
	for name, c := range map[string]struct {
		dir, test string
		want      bool
	}{
		"a server that is killed":      {"../../cartwright/program", "TestKilledServersLoseNoDelivery", true},
		"two servers behind a helper":  {"../../cartwright/program", "TestFeatures", true},
		"Node":                         {"../../cartwright/program", "TestTypeScriptSDKWithoutServer", true},
		"a Redis of its own":           {"../../../app/metering", "TestSharedCountNeverExceedsLimit", true},
		"the databases that all share": {"../../../app/metering", "TestQuotaResetsWithTheMonth", false},
		"a module of its own":          {"../../../adapters/payment/examplepay/cmd/shop", "TestShopTakesMoneyAtTheNewProvider", false},
		"a Postgres that is killed":    {"../../../adapters/testservers", "TestKilledPostgresRecovers", true},
		"nothing but text":             {"../../cartwright/program", "TestConfigDefaults", false},
	} {
		if slices.Contains(in[c.dir], c.test) != c.want {
			t.Errorf("%s: %s is among those found: %v, want %v of %v", name, c.test, !c.want, c.want, in[c.dir])
		}
	}
}
