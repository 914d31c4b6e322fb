package team_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var (
	now  = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	mina = tenant.Actor{Kind: tenant.User, ID: id(1), Via: tenant.ViaAPI}
)

func id(n int) string { return fmt.Sprintf("019a0000-0000-7000-8000-%012d", n) }

func TestMentionsAreThoseNamedAndThoseInTheText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		was   string   // text before; "": a new comment
		had   []string // mentions before
		text  string
		named []string
		want  []string
	}{
		"named":                      {"", nil, "Hello", []string{id(1)}, []string{id(1)}},
		"in the text":                {"", nil, "Ask @" + id(1) + ", or @" + id(2) + ".", nil, []string{id(1), id(2)}},
		"each once":                  {"", nil, "@" + id(1) + " @" + id(1), []string{id(1), id(1)}, []string{id(1)}},
		"an address is nobody":       {"", nil, "kim@example.com @kim", nil, []string{}},
		"part of a longer word":      {"", nil, "@" + id(1) + "0", nil, []string{}},
		"out of the text":            {"@" + id(1), []string{id(1), id(2)}, "Nobody", []string{id(1), id(2)}, []string{id(2)}},
		"out of the list":            {"Hello", []string{id(1)}, "Hello", []string{}, []string{}},
		"another text, named before": {"Hello", []string{id(1)}, "Bye", []string{id(1)}, []string{id(1)}},
	} {
		var before collection.Record
		if c.was != "" {
			before = collection.Record{"text": c.was, "mentions": c.had, "author": team.AuthorRecord(mina)}
		}
		next := collection.Record{"text": c.text, "mentions": c.named}
		got, err := team.WriteComment(before, next, mina, now)
		if err != nil || !slices.Equal(got.Texts("mentions"), c.want) {
			t.Errorf("%s: %q, %v; want %q", name, got.Texts("mentions"), err, c.want)
		}
		if !slices.Equal(next.Texts("mentions"), c.named) {
			t.Errorf("%s: what was given has changed", name)
		}
		if edited := got["editedAt"] != nil; edited != (before != nil) {
			t.Errorf("%s: edited %v", name, edited)
		}
	}
	var text strings.Builder
	for n := range team.MaxMentions + 1 {
		text.WriteString(" @" + id(n))
	}
	if _, err := team.WriteComment(nil, collection.Record{"text": text.String()}, mina, now); !errors.Is(err, fault.ErrValidation) {
		t.Errorf("too many mentions: %v", err)
	}
}

func TestCommentsAreChangedByTheirAuthor(t *testing.T) {
	t.Parallel()
	comment := collection.Record{"text": "Hello", "author": team.AuthorRecord(mina)}
	for name, c := range map[string]struct {
		by           tenant.Principal
		edit, remove bool
	}{
		"the author, elsewhere": {tenant.Principal{Kind: tenant.User, ID: id(1), Role: tenant.Editor, Via: tenant.ViaConsole}, true, true},
		"another editor":        {tenant.Principal{Kind: tenant.User, ID: id(2), Role: tenant.Editor}, false, false},
		"an admin":              {tenant.Principal{Kind: tenant.User, ID: id(3), Role: tenant.Admin}, false, true},
		"a key of the same id":  {tenant.Principal{Kind: tenant.SecretKey, ID: id(1)}, false, false},
	} {
		_, err := team.WriteComment(comment, comment, c.by.Actor(), now)
		if c.edit != (err == nil) || err != nil && !errors.Is(err, team.ErrNotAuthor) {
			t.Errorf("%s changes it: %v", name, err)
		}
		if err := team.CheckDelete(comment, c.by); c.remove != (err == nil) || err != nil && !errors.Is(err, team.ErrNotAuthor) {
			t.Errorf("%s deletes it: %v", name, err)
		}
	}
}
