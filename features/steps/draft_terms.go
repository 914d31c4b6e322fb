package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// termsDefinitions are the steps on what operators agree for a draft.
func (s *draftSteps) termsDefinitions() []stepDefinition {
	return []stepDefinition{
		{`^the operator agrees on a "([^"]*)" of (\d+) because of "([^"]*)"$`, s.agree},
		{`^the operator agrees on a "([^"]*)" of (\d+) because of "([^"]*)", and makes a payment link$`, s.agreeAndLink},
		{`^the calculation tells "([^"]*)" and the catalog's price of (\d+)$`, s.wantTerms},
		{`^the operator has it shipped by "([^"]*)" for (\d+)$`, s.shipBy},
		{`^the order's timeline tells "([^"]*)"$`, s.wantTold},
	}
}

// agree gives the only line of the draft terms of its own.
func (s *draftSteps) agree(ctx context.Context, what, n, reason string) error {
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	line := object{
		"variant": idOf(valueAt(got, "lines", 0, "variant")), "quantity": valueAt(got, "lines", 0, "quantity"),
		"terms": object{what: json.Number(n), "reason": reason},
	}
	return s.edit(ctx, object{"lines": []any{line}})
}

func (s *draftSteps) agreeAndLink(ctx context.Context, what, n, reason string) error {
	if err := s.agree(ctx, what, n, reason); err != nil {
		return err
	}
	return s.link(ctx)
}

func (s *draftSteps) wantTerms(reason, price string) error {
	if err := equal("the reason", valueAt(s.got.body, "lines", 0, "terms", "reason"), reason); err != nil {
		return err
	}
	return equal("the catalog's price", valueAt(s.got.body, "lines", 0, "terms", "catalogPrice"), price)
}

func (s *draftSteps) shipBy(ctx context.Context, title, fee string) error {
	made, err := s.must(ctx, request{"POST", "/api/shipping-policies", object{"title": title, "baseFee": json.Number(fee)}, s.asServer()})
	if err != nil {
		return err
	}
	return s.edit(ctx, object{"shippingPolicy": text(made.body, "doc", "id")})
}

// wantTold looks for what the timeline of the draft's order tells of its making.
func (s *draftSteps) wantTold(ctx context.Context, what string) error {
	draft, err := s.read(ctx)
	if err != nil {
		return err
	}
	got, err := s.must(ctx, request{"GET", "/api/orders/" + idOf(draft["order"]) + "/timeline", nil, s.asServer()})
	if err != nil {
		return err
	}
	for _, entry := range list(got.body, "docs") {
		if text(entry, "operation") == "create" && strings.Contains(fmt.Sprint(valueAt(entry, "changes")), what) {
			return nil
		}
	}
	return fmt.Errorf("the timeline tells %v", got.body)
}
