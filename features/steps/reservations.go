package steps

import "context"

// reservationSteps has two shoppers compete for the same stock.
type reservationSteps struct {
	*client

	carts     *cartSteps
	checkouts *checkoutSteps
	payments  *paymentSteps

	first shopperState // of the shopper who came first
}

func newReservationSteps(c *client, carts *cartSteps, checkouts *checkoutSteps, payments *paymentSteps) *reservationSteps {
	return &reservationSteps{client: c, carts: carts, checkouts: checkouts, payments: payments}
}

func (s *reservationSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^another shopper opens a payment for (\d+) "([^"]*)"$`, s.openForOther},
		{`^another shopper's payment for (\d+) "([^"]*)" is open$`, func(ctx context.Context, n int, name string) error {
			if err := s.openForOther(ctx, n, name); err != nil {
				return err
			}
			return s.wantSuccess()
		}},
		{`^another shopper tries to buy (\d+) "([^"]*)"$`, s.tryToBuy},
		{`^the first shopper opens the same payment again$`, func(ctx context.Context) error {
			s.carts.cart = s.first.cart
			s.checkouts.use(s.first.checkout.id, s.first.checkout.token)
			s.payments.use(s.first.payment)
			return s.payments.open(ctx)
		}},
	}
}

// shopperState is what a shopper knows, kept while another shopper acts.
type shopperState struct {
	cart     cart
	checkout checkout
	payment  payment
}

func (s *reservationSteps) openForOther(ctx context.Context, n int, name string) error {
	s.first = shopperState{s.carts.cart, s.checkouts.checkout, s.payments.payment}
	if err := s.checkouts.create(ctx, n, name, true); err != nil {
		return err
	}
	return s.payments.open(ctx)
}

// tryToBuy goes from cart to checkout to payment, until it is refused. Which of them refuses may differ:
// carts may use a stock that is slightly out of date, payments never do.
func (s *reservationSteps) tryToBuy(ctx context.Context, n int, name string) error {
	if err := s.carts.tryCreate(ctx, "", []line{{n, name}}, nil); err != nil || !s.got.ok() {
		return err
	}
	s.carts.use(text(s.got.body, "cart", "id"), text(s.got.body, "cartToken"))
	if err := s.carts.read(ctx); err != nil {
		return err
	}
	if err := s.checkouts.checkOut(ctx, true); err != nil || !s.got.ok() {
		return err
	}
	return s.payments.open(ctx)
}
