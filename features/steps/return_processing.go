package steps

import (
	"context"
	"fmt"
	"strings"
)

// returnProcessingSteps approves, receives and refunds returns.
type returnProcessingSteps struct {
	*client

	members *memberSteps
	returns *returnRequestSteps

	refunded []string // amounts, in the order of the refunds
}

func newReturnProcessingSteps(c *client, members *memberSteps, returns *returnRequestSteps) *returnProcessingSteps {
	return &returnProcessingSteps{client: c, members: members, returns: returns}
}

func (s *returnProcessingSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^an approved return of (\d+) "([^"]*)"$`, s.createApproved},
		{`^a refunded return of (\d+) "([^"]*)"$`, s.createRefunded},
		{`^(\d+) returns of (\d+) "([^"]*)" are refunded one after the other$`, s.refundRepeatedly},
		{
			`^the shop (approve|reject|cancel)s the return$`,
			func(ctx context.Context, what string) error { return s.try(ctx, s.request(what)) },
		},
		{`^the shop receives the returned products$`, func(ctx context.Context) error {
			_, err := s.must(ctx, s.request("receive"))
			return err
		}},
		{`^the shop receives (\d+) of the returned products, "([^"]*)"$`, s.receiveOnly},
		{`^the shop refunds the return$`, func(ctx context.Context) error { return s.try(ctx, s.request("refund")) }},
		{`^an editor refunds the return$`, s.refundAsEditor},
		{`^the shop refunds the return (\d+) times at once$`, func(ctx context.Context, n int) error {
			var all []request
			for range n {
				all = append(all, s.request("refund"))
			}
			return s.sendConcurrently(ctx, all)
		}},
		{`^the return is "([^"]*)"$`, func(ctx context.Context, want string) error { return s.returns.wantField(ctx, "status", want) }},
		{`^the return refunds (\d+) KRW$`, func(ctx context.Context, want string) error {
			if err := s.wantSuccess(); err != nil {
				return err
			}
			return s.returns.wantField(ctx, "refundAmount", want)
		}},
		{`^it would refund (\d+) KRW$`, func(want string) error { return equal("the refund", s.got.body["refundAmount"], want) }},
		{`^a shipping refund of (\d+) KRW is suggested$`, func(want string) error {
			return equal("the suggestion", s.got.body["suggestedInitialShippingRefund"], want)
		}},
		{`^the returns refunded (.*) KRW$`, s.wantAmounts},
		{`^(\d+) returns? (?:is|are) open$`, s.returns.wantOpenCount},
	}
}

func (s *returnProcessingSteps) request(what string) request {
	return request{"POST", "/api/return-requests/" + s.returns.id + "/" + what, object{}, keyed(s.asServer())}
}

// receiveOnly receives some units of the only line of the return.
func (s *returnProcessingSteps) receiveOnly(ctx context.Context, n int, condition string) error {
	got, err := s.must(ctx, request{"GET", "/api/return-requests/" + s.returns.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	line := object{"orderLine": text(got.body, "lines", 0, "orderLine"), "quantity": n, "condition": condition}
	ask := s.request("receive")
	ask.body = object{"lines": []any{line}}
	return s.try(ctx, ask)
}

func (s *returnProcessingSteps) createApproved(ctx context.Context, n int, name string) error {
	if err := s.returns.mustCreate(ctx, n, name, ""); err != nil {
		return err
	}
	_, err := s.must(ctx, s.request("approve"))
	return err
}

func (s *returnProcessingSteps) createRefunded(ctx context.Context, n int, name string) error {
	if err := s.createApproved(ctx, n, name); err != nil {
		return err
	}
	got, err := s.must(ctx, s.request("refund"))
	s.refunded = append(s.refunded, text(got.body, "returnRequest", "refundAmount"))
	return err
}

func (s *returnProcessingSteps) refundRepeatedly(ctx context.Context, times, n int, name string) error {
	for range times {
		if err := s.createRefunded(ctx, n, name); err != nil {
			return err
		}
	}
	return nil
}

// refundAsEditor tries to refund as a member who may only approve and reject returns.
func (s *returnProcessingSteps) refundAsEditor(ctx context.Context) error {
	if err := s.members.create(ctx, s.shop, "editor", "tenant-editor"); err != nil {
		return err
	}
	editor, err := s.members.logInToTest(ctx, "editor")
	if err != nil {
		return err
	}
	r := s.request("refund")
	r.header = keyed(editor)
	return s.try(ctx, r)
}

func (s *returnProcessingSteps) wantAmounts(want string) error {
	if got := strings.Join(s.refunded, " "); got != strings.NewReplacer(",", "", " and ", " ").Replace(want) {
		return fmt.Errorf("they refunded %s", got)
	}
	return nil
}
