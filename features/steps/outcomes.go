package steps

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// outcomeSteps judges the last answer, and those to requests that were sent concurrently.
type outcomeSteps struct {
	*client
}

func newOutcomeSteps(c *client) *outcomeSteps {
	return &outcomeSteps{client: c}
}

func (s *outcomeSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^exactly (\d+) requests? succeeds?$`, s.wantSuccesses},
		{`^exactly 1 request succeeds and the others are refused because "([^"]*)"$`, s.wantOneSuccess},
		{`^the (?:shopper|integrator|admin|operator|shop) repeats the request$`, s.repeat},
		{`^the first answer is replayed$`, s.wantReceipt},
		{`^the answer does not contain "([^"]*)"$`, s.wantNotInAnswer},
		{`^the refusal says when to retry$`, s.wantRetry},
		{`^the refusal says not to retry$`, s.wantNoRetry},
		{`^the refusal holds the request's id$`, s.wantRequestID},
		{`^the refusal names the field "([^"]*)"$`, s.wantField},
		{`^the (?:change|request|payment|checkout|purchase|login|transition|fulfillment|cancellation|return) is refused because "([^"]*)"$`, s.wantRefused},
		{`^the (?:change|request|payment|checkout|login|fulfillment|cancellation) succeeds$`, s.wantSuccess},
	}
}

func (s *outcomeSteps) wantSuccesses(want int) error {
	got := 0
	for _, a := range s.concurrent {
		if a.ok() {
			got++
		}
	}
	if got != want {
		return fmt.Errorf("%d of %d succeeded; the first %s", got, len(s.concurrent), s.concurrent[0])
	}
	return nil
}

func (s *outcomeSteps) wantOneSuccess(reason string) error {
	won := 0
	for _, a := range s.concurrent {
		switch {
		case a.ok():
			won++
		case a.reason() != reason:
			return fmt.Errorf("one refusal %s", a)
		}
	}
	if won != 1 {
		return errors.New(strconv.Itoa(won) + " of them succeed")
	}
	return nil
}

func (s *outcomeSteps) wantReceipt() error {
	first, again := s.original, s.got
	if first.status != again.status || !bytes.Equal(first.raw, again.raw) {
		return fmt.Errorf("first it %s, then it %s", first, again)
	}
	if again.header.Get("Idempotency-Replayed") != "true" {
		return errors.New("the second answer is not marked as a replay")
	}
	return nil
}

func (s *outcomeSteps) wantNotInAnswer(secret string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	if bytes.Contains(s.got.raw, []byte(secret)) {
		return fmt.Errorf("it %s", s.got)
	}
	return nil
}

func (s *outcomeSteps) wantRetry() error {
	how := valueAt(s.got.body, "errors", 0, "extensions")
	if text(how, "retryable") != "true" || text(how, "retryAfter") == "" || s.got.header.Get("Retry-After") != text(how, "retryAfter") {
		return fmt.Errorf("it %s with Retry-After %q", s.got, s.got.header.Get("Retry-After"))
	}
	return nil
}

func (s *outcomeSteps) wantNoRetry() error {
	how := valueAt(s.got.body, "errors", 0, "extensions")
	if text(how, "retryable") == "true" || text(how, "retryAfter") != "" || s.got.header.Get("Retry-After") != "" {
		return fmt.Errorf("it %s with Retry-After %q", s.got, s.got.header.Get("Retry-After"))
	}
	return nil
}

func (s *outcomeSteps) wantRequestID() error {
	id := text(s.got.body, "errors", 0, "extensions", "requestId")
	if id == "" || id != s.got.header.Get("X-Request-Id") {
		return fmt.Errorf("it %s with X-Request-Id %q", s.got, s.got.header.Get("X-Request-Id"))
	}
	return nil
}

func (s *outcomeSteps) wantField(field string) error {
	for _, entry := range list(s.got.body, "errors", 0, "data") {
		if text(entry, "field") == field && text(entry, "message") != "" {
			return nil
		}
	}
	return fmt.Errorf("it %s", s.got)
}
