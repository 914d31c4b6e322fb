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
