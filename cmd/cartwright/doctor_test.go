package main

import (
	"regexp"
	"testing"
)

func TestTheDoctorSaysWhatItLookedAt(t *testing.T) {
	t.Parallel()
	out := newMachine(t).must(t, "doctor")
	if !regexp.MustCompile(`(?m)^redis +ok +none is configured`).MatchString(out) {
		t.Errorf("a Redis that nobody configured is said to be well:\n%s", out)
	}
}

func TestTheDoctorAddsMoneyUpBesideAServer(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.serve(t)
	for _, args := range [][]string{{"doctor", "--money"}, {"doctor", "--money", "--provider", "--tenant", "saebyeok"}} {
		if out := m.must(t, args...); !regexp.MustCompile(`(?m)^TENANT +ENVIRONMENT`).MatchString(out) || regexp.MustCompile("DIFFERS").MatchString(out) {
			t.Errorf("%v:\n%s", args, out)
		}
	}
	if out, err := m.command(t, "doctor", "--provider"); err == nil {
		t.Errorf("half a question is answered:\n%s", out)
	}
	if out, err := m.command(t, "doctor", "--money", "--tenant", "nobody"); err == nil {
		t.Errorf("a shop that is not there:\n%s", out)
	}
}
