package team_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/team"
)

func TestPreferencesAreBounded(t *testing.T) {
	t.Parallel()
	full := map[string]any{}
	for n := range team.MaxPreferences {
		full[fmt.Sprint("n", n)] = true
	}
	text := func(bytes int) map[string]any { return map[string]any{"a": strings.Repeat("x", bytes-len(`{"a":""}`))} }
	for name, c := range map[string]struct {
		had, patch map[string]any
		refused    bool
	}{
		"as many as there may be":   {nil, full, false},
		"one more":                  {full, map[string]any{"more": true}, true},
		"one in place of another":   {full, map[string]any{"more": true, "n0": nil}, false},
		"as large as they may be":   {nil, text(team.MaxPreferenceBytes), false},
		"one byte more":             {nil, text(team.MaxPreferenceBytes + 1), true},
		"less of what was too much": {text(2 * team.MaxPreferenceBytes), map[string]any{"a": nil}, false},
	} {
		before := team.PreferencesFrom(collection.Record{"values": c.had})
		had := len(before.Values)
		_, err := before.Merge(c.patch, map[string]bool{team.Mentioned: false}, nil)
		if c.refused != errors.Is(err, fault.ErrValidation) || !c.refused && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(before.Values) != had || !before.Mail[team.Mentioned] {
			t.Errorf("%s: what was there has changed", name)
		}
	}
}
