package fault_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

func TestDerivingLeavesTemplateUnchanged(t *testing.T) {
	t.Parallel()
	template := fault.ErrNotFound
	cause := errors.New("row 5")
	got := template.WithCause(cause).WithMessage("No %s here.", "cart").WithData("a", int64(1)).WithData("b", "x").
		WithFields(fault.Field{Field: "id", Message: "m"}).WithFields(fault.Field{Field: "x", Message: "n"}).WithRetry(2 * time.Second)
	if got.Message != "No cart here." || got.Data["a"] != int64(1) || got.Data["b"] != "x" || len(got.Fields) != 2 ||
		got.Fields[1].Field != "x" || !got.Retryable || got.RetryAfter != 2*time.Second || !errors.Is(got, cause) ||
		got.Kind != fault.NotFound {
		t.Errorf("got %+v", got)
	}
	if template.Message == got.Message || template.Data != nil || template.Fields != nil || template.Retryable ||
		template.RetryAfter != 0 || errors.Unwrap(template) != nil {
		t.Errorf("the template changed: %+v", template)
	}
	first := got.WithData("a", int64(2))
	if got.Data["a"] != int64(1) || first.Data["a"] != int64(2) || first.Data["b"] != "x" {
		t.Error("facts of a copy are its own")
	}
	one, two := got.WithFields(fault.Field{Field: "1"}), got.WithFields(fault.Field{Field: "2"})
	if one.Fields[2].Field != "1" || two.Fields[2].Field != "2" {
		t.Error("fields of a copy are its own")
	}
}

func TestFaultsAreEqualByReason(t *testing.T) {
	t.Parallel()
	same := &fault.Error{Kind: fault.Conflict, Reason: "not_found"}
	if !errors.Is(same, fault.ErrNotFound) || errors.Is(fault.ErrNotFound, fault.ErrForbidden) || errors.Is(fault.ErrNotFound, errors.New("not_found")) { //nolint:staticcheck // a foreign error with the same text is the target here
		t.Error("the reason decides, nothing else")
	}
	if !errors.Is(fmt.Errorf("load cart: %w", fault.ErrNotFound.WithCause(errors.New("x"))), fault.ErrNotFound) {
		t.Error("wrapped faults keep their reason")
	}
}

func TestFromHidesOtherErrors(t *testing.T) {
	t.Parallel()
	cause := errors.New("disk on fire")
	if f := fault.From(cause); f.Kind != fault.Internal || f.Message == cause.Error() || !errors.Is(f, cause) {
		t.Errorf("got %+v", f)
	}
	if f := fault.From(fmt.Errorf("x: %w", fault.ErrForbidden)); f != fault.ErrForbidden {
		t.Errorf("got %+v", f)
	}
}

func TestErrorTextNamesTheCause(t *testing.T) {
	t.Parallel()
	if got := fault.ErrForbidden.Error(); got != "forbidden: You are not allowed to do this." {
		t.Errorf("got %q", got)
	}
	if got := fault.ErrForbidden.WithCause(errors.New("role viewer")).Error(); got != "forbidden: role viewer" {
		t.Errorf("got %q", got)
	}
}

func TestInvalidfNamesOneField(t *testing.T) {
	t.Parallel()
	f := fault.Invalidf("lines.0.quantity", "At most %d.", 5)
	if !errors.Is(f, fault.ErrValidation) || !slices.Equal(f.Fields, []fault.Field{{Field: "lines.0.quantity", Message: "At most 5."}}) {
		t.Errorf("got %+v", f)
	}
}

func TestDeclaredFaultsAreListed(t *testing.T) {
	t.Parallel()
	all := fault.Declared()
	if !slices.Contains(all, fault.ErrNotFound) || !slices.Contains(all, fault.ErrUnavailable.WithCause(nil)) && len(all) < 8 {
		t.Errorf("got %d", len(all))
	}
	all[0] = nil
	if fault.Declared()[0] == nil {
		t.Error("the list is a copy")
	}
	seen := map[string]bool{}
	for _, f := range fault.Declared() {
		if seen[f.Reason] {
			t.Errorf("%s is declared twice", f.Reason)
		}
		seen[f.Reason] = true
	}
}

func TestKindsAreComplete(t *testing.T) {
	t.Parallel()
	all := fault.Kinds()
	if len(all) != 15 || all[0] != fault.Internal || all[len(all)-1] != fault.Unavailable {
		t.Errorf("got %v", all)
	}
}

func TestLongMessagesAreTruncated(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("한", 100_000)
	for name, got := range map[string]string{
		"a message":         fault.ErrMalformed.WithMessage("%q is too much.", long).Message,
		"a field's message": fault.Invalidf("name", "%q is too much.", long).Fields[0].Message,
	} {
		if len(got) < 900 || len(got) > 1100 || !utf8.ValidString(got) || !strings.HasSuffix(got, "한…") {
			t.Errorf("%s: %d bytes, %q", name, len(got), got[max(0, len(got)-10):])
		}
	}
	for _, fine := range []string{"x", strings.Repeat("x", 1000)} {
		if got := fault.ErrMalformed.WithMessage("%s", fine).Message; got != fine {
			t.Error(got)
		}
	}
}
