package portstest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/ports"
)

// VaultFixture is one adapter with three sets of secrets.
type VaultFixture struct {
	Vault   ports.Vault // knows version 1 alone
	Rotated ports.Vault // knows the same version 1, and 2
	Foreign ports.Vault // knows another version 1
}

// Vault checks ports.Vault.
func Vault(t *testing.T, f VaultFixture) {
	t.Run("a sealed secret opens under its label and shows nothing", f.testSeal)
	t.Run("a secret sealed with an older version stays readable, and is known by its version", f.testVersions)
	t.Run("nothing else opens", f.testGarbage)
	t.Run("derived bytes depend on every part and on the version", f.testDerive)
}

func mustSeal(t *testing.T, v ports.Vault, label, plain string) string {
	t.Helper()
	sealed, err := v.Seal(label, []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

func (f VaultFixture) testSeal(t *testing.T) {
	for _, plain := range []string{"", "key", "\x00\xff\n:", strings.Repeat("long ", 10_000)} {
		sealed := mustSeal(t, f.Vault, "connection/1", plain)
		if got, err := f.Vault.Open("connection/1", sealed); err != nil || !bytes.Equal(got, []byte(plain)) {
			t.Errorf("opened %q, %v", got, err)
		}
		if len(plain) > 1 && strings.Contains(sealed, plain) {
			t.Errorf("%q shows what it hides", sealed)
		}
		if again := mustSeal(t, f.Vault, "connection/1", plain); again == sealed {
			t.Error("the same secret is sealed to the same text twice")
		}
	}
}

func (f VaultFixture) testVersions(t *testing.T) {
	old, latest := mustSeal(t, f.Vault, "l", "key"), mustSeal(t, f.Rotated, "l", "key")
	for name, c := range map[string]struct {
		vault   ports.Vault
		sealed  string
		version int
		newest  bool
	}{
		"its newest": {f.Vault, old, 1, true}, "an older one": {f.Rotated, old, 1, false}, "the newer one": {f.Rotated, latest, 2, true},
		"nothing": {f.Vault, "", 0, false}, "text": {f.Vault, "key", 0, false},
		"no version": {f.Vault, strings.TrimPrefix(old, "v1"), 0, false},
	} {
		if version, newest := c.vault.Version(c.sealed); version != c.version || newest != c.newest {
			t.Errorf("%s: version %d, newest %t", name, version, newest)
		}
	}
	if plain, err := f.Rotated.Open("l", old); err != nil || string(plain) != "key" {
		t.Errorf("the older version opens as %q, %v", plain, err)
	}
	if plain, err := f.Vault.Open("l", latest); err == nil {
		t.Errorf("a version that it does not know opened: %q", plain)
	}
}

func (f VaultFixture) testGarbage(t *testing.T) {
	sealed := mustSeal(t, f.Vault, "connection/1", "key")
	refused := func(v ports.Vault, label, text string) {
		t.Helper()
		if plain, err := v.Open(label, text); err == nil {
			t.Errorf("%q under %q opened: %q", text, label, plain)
		}
	}
	for _, label := range []string{"", "connection/2", "connection/1 ", "Connection/1"} {
		refused(f.Vault, label, sealed)
	}
	for i := range len(sealed) - 1 { // base64 may not use the lowest bits of the last character
		refused(f.Vault, "connection/1", withChangedByte(sealed, i))
	}
	for _, text := range []string{
		"", ":", "v1:", "v0:" + sealed[3:], "v-1:" + sealed[3:], "v7:" + sealed[3:], sealed[3:], sealed[:len(sealed)/2], sealed + "AAAA",
		"key", "\x00",
	} {
		refused(f.Vault, "connection/1", text)
	}
	refused(f.Foreign, "connection/1", sealed)
}

func (f VaultFixture) testDerive(t *testing.T) {
	seen := map[[32]byte]string{}
	for name, c := range map[string]struct {
		vault   ports.Vault
		version int
		parts   []string
	}{
		"two parts": {f.Rotated, 2, []string{"ab", "c"}}, "cut elsewhere": {f.Rotated, 2, []string{"a", "bc"}},
		"one part": {f.Rotated, 2, []string{"abc"}}, "an empty part": {f.Rotated, 2, []string{"abc", ""}}, "none": {f.Rotated, 2, nil},
		"another order": {f.Rotated, 2, []string{"c", "ab"}}, "an older version": {f.Rotated, 1, []string{"ab", "c"}},
		"another secret": {f.Foreign, 1, []string{"ab", "c"}},
	} {
		sum, used, err := c.vault.Derive(c.version, c.parts...)
		if err != nil || used != c.version {
			t.Fatal(name, used, err)
		}
		if other, twice := seen[sum]; twice {
			t.Errorf("%s equals %s", name, other)
		}
		seen[sum] = name
	}
	newest, used, err := f.Rotated.Derive(0, "ab", "c")
	if again, _, _ := f.Rotated.Derive(2, "ab", "c"); err != nil || newest != again || used != 2 {
		t.Errorf("version 0 used %d, %v", used, err)
	}
	old, _, _ := f.Vault.Derive(1, "ab", "c")
	if after, _, err := f.Rotated.Derive(1, "ab", "c"); err != nil || after != old {
		t.Errorf("a rotation changed what version 1 derives: %v", err)
	}
	if _, _, err := f.Vault.Derive(2, "ab"); err == nil {
		t.Error("derived with a version that it does not know")
	}
}
