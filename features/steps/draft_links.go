package steps

import "context"

// linkDefinitions are the steps on payment links of drafts, and on drafts over GraphQL.
func (s *draftSteps) linkDefinitions() []stepDefinition {
	return []stepDefinition{
		{`^a draft order of (\d+) "([^"]*)" with a payment link$`, s.createLinked},
		{`^the operator makes a payment link$`, s.link},
		{`^the operator makes a payment link (\d+) times at once$`, s.linkConcurrently},
		{`^the operator revokes the payment link$`, func(ctx context.Context) error { return s.try(ctx, s.post("/payment-link/revoke")) }},
		{`^the payment link is the same as before$`, s.wantSameLink},
		{`^the operator drafts (\d+) "([^"]*)", calculates (\d+) KRW and finalizes them over GraphQL$`, s.finalizeOverGraphQL},
		{`^discarding it over GraphQL is refused because "([^"]*)"$`, s.wantDiscardRefusedOverGraphQL},
	}
}

func (s *draftSteps) createLinked(ctx context.Context, n, name string) error {
	if err := s.createOf(ctx, n, name, ""); err != nil {
		return err
	}
	if err := s.link(ctx); err != nil {
		return err
	}
	return s.wantSuccess()
}

// link makes the payment link, by which the shopper has a checkout.
func (s *draftSteps) link(ctx context.Context) error {
	if err := s.try(ctx, s.post("/payment-link")); err != nil || !s.got.ok() {
		return err
	}
	s.checkouts.use(text(s.got.body, "checkout", "id"), text(s.got.body, "checkoutToken"))
	return nil
}

func (s *draftSteps) linkConcurrently(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, s.post("/payment-link"))
	}
	if err := s.sendConcurrently(ctx, all); err != nil {
		return err
	}
	return s.link(ctx)
}

func (s *draftSteps) wantSameLink() error {
	return equal("the token", s.checkouts.checkout.token, s.checkouts.made[len(s.checkouts.made)-2].token)
}

// graphQLOnDraft sends a document with the draft's id as its variable id.
func (s *draftSteps) graphQLOnDraft(ctx context.Context, document string, variables object) (answer, error) {
	variables["id"] = s.id
	return s.must(ctx, request{"POST", "/api/graphql", object{"query": document, "variables": variables}, s.asServer()})
}

func (s *draftSteps) finalizeOverGraphQL(ctx context.Context, n, name, total string) error {
	lines, err := s.lines(n, name)
	if err != nil {
		return err
	}
	data := object{"lines": lines, "customerSnapshot": object{"email": "kim@shopper.example"}, "shippingAddress": address()}
	made, err := s.must(ctx, request{"POST", "/api/graphql", object{
		"query": `mutation($data: mutationDraftOrderInput!) { createDraftOrder(data: $data) { id } }`, "variables": object{"data": data},
	}, s.asServer()})
	if err != nil {
		return err
	}
	s.id = text(made.body, "data", "createDraftOrder", "id")
	calculated, err := s.graphQLOnDraft(ctx, `query($id: String!) { draftOrderCalculate(draftOrderId: $id) { total } }`, object{})
	if err != nil {
		return err
	}
	if err := equal("the total", valueAt(calculated.body, "data", "draftOrderCalculate", "total"), total); err != nil {
		return err
	}
	_, err = s.graphQLOnDraft(ctx, `mutation($id: String!, $key: String!) {
		draftOrderFinalize(draftOrderId: $id, idempotencyKey: $key) { order { id } draftOrder { status } }
	}`, object{"key": newKey()})
	return err
}

func (s *draftSteps) wantDiscardRefusedOverGraphQL(ctx context.Context, reason string) error {
	got, err := s.graphQLOnDraft(ctx, `mutation($id: String!) { draftOrderDiscard(draftOrderId: $id) { draftOrder { status } } }`, object{})
	if err != nil {
		return err
	}
	return equal("the refusal", valueAt(got.body, "errors", 0, "extensions", "reason"), reason)
}
