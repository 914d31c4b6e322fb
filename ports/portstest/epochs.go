package portstest

import (
	"testing"

	"github.com/cartwright-dev/cartwright/ports"
)

// EpochsFixture is a database that can lose commits.
type EpochsFixture struct {
	Instances []ports.Epochs // of the database
	Another   ports.Epochs   // an instance of another database
	// Restart has the database start again, as it would after a loss, and returns its instances from then on.
	Restart func(t *testing.T) []ports.Epochs
}

// Epochs checks ports.Epochs of the database that open makes.
func Epochs(t *testing.T, open func(t *testing.T) EpochsFixture) {
	f := open(t)
	first := agreedEpoch(t, f.Instances)
	for _, e := range f.Instances {
		if known := e.KnownEpoch(); known != first {
			t.Errorf("an instance that was asked knows %q, want %q", known, first)
		}
	}
	if agreedEpoch(t, []ports.Epochs{f.Another}) == first {
		t.Error("two databases are in one epoch")
	}
	later := f.Restart(t)
	eventually(t, "all see the new epoch", func() bool { return agreedEpoch(t, later) != first })
}

// agreedEpoch waits until all see the same epoch.
func agreedEpoch(t *testing.T, all []ports.Epochs) (agreed ports.Epoch) {
	t.Helper()
	eventually(t, "all see one epoch", func() bool {
		agreed = ""
		for _, one := range all {
			e, ok := one.CurrentEpoch(t.Context())
			if !ok || e == "" || agreed != "" && e != agreed {
				return false
			}
			agreed = e
		}
		return true
	})
	return agreed
}
