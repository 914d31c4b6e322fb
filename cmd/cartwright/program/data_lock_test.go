package program

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// A second server on one data folder ends before it reads or changes anything there. When the first one has ended, the
// folder is free.
func TestSecondServerChangesNothingInTheDataFolder(t *testing.T) {
	t.Parallel()
	c := testDefaults()
	c.Address, c.Data = "127.0.0.1:0", t.TempDir()
	first, err := c.lockDataDir()
	if err != nil {
		t.Fatal(err)
	}
	log, _ := captureLog(t)
	_, err = build(t.Context(), c, time.Now, log)
	if err == nil || !strings.Contains(err.Error(), "another server uses the data folder "+c.Data) {
		t.Errorf("the second server: %v", err)
	}
	var names []string
	entries, err := os.ReadDir(c.Data)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if err != nil || !slices.Equal(names, []string{lockName}) {
		t.Errorf("the folder has %q, %v", names, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := build(t.Context(), c, time.Now, log)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := build(t.Context(), c, time.Now, log); err == nil {
		t.Error("a server does not hold its folder")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Production starts with secrets that open what is sealed, and not with those of another installation.
func TestProductionRefusesSecretsThatOpenNothing(t *testing.T) {
	t.Parallel()
	const right, other = "q8f7w6e5r4t3y2u1i0o9p8a7s6d5f4g3", "Zq0oWnE5r4t3y2u1i0o9p8a7s6d5f4gx"
	c := testDefaults()
	c.Address, c.Data, c.Secrets = "127.0.0.1:0", t.TempDir(), []string{"1:" + right}
	log, _ := captureLog(t)
	start := func() error {
		s, err := build(t.Context(), c, time.Now, log)
		if err != nil {
			return err
		}
		return s.Close()
	}
	if err := start(); err != nil { // the shop of the first start has a connection with sealed credentials
		t.Fatal(err)
	}
	c.Mode = Production
	for name, secrets := range map[string][]string{
		"another secret": {"1:" + other}, "a version that was removed too early": {"2:" + other},
	} {
		c.Secrets = secrets
		if err := start(); !errors.Is(err, errWrongSecrets) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, secrets := range [][]string{{"1:" + right}, {"2:" + other, "1:" + right}} {
		c.Secrets = secrets
		if err := start(); err != nil {
			t.Errorf("with the right one of %d: %v", len(secrets), err)
		}
	}
}
