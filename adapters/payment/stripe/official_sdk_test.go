package stripe_test

import (
	"errors"
	"net/http/httptest"
	"testing"

	api "github.com/stripe/stripe-go/v85"

	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
)

// Stripe's own SDK works with the fake, unmodified: sessions, refunds page by page, and refusals with their codes. Rule
// payments-50.
func TestOfficialSDKOfStripe(t *testing.T) {
	t.Parallel()
	fake := stripefake.New()
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	sdk := func(key string) *api.Client {
		return api.NewClient(key, api.WithBackends(&api.Backends{API: api.GetBackendWithConfig(api.APIBackend, &api.BackendConfig{
			URL: &server.URL, MaxNetworkRetries: new(int64), LeveledLogger: &api.LeveledLogger{Level: api.LevelNull},
		})}))
	}
	stripe := sdk(stripefake.Key)
	params := func(amount int64) *api.CheckoutSessionCreateParams {
		return &api.CheckoutSessionCreateParams{
			Mode: api.String("payment"), SuccessURL: api.String("https://shop.example/thanks"),
			LineItems: []*api.CheckoutSessionCreateLineItemParams{{
				Quantity: api.Int64(1), PriceData: &api.CheckoutSessionCreateLineItemPriceDataParams{
					Currency: api.String("krw"), UnitAmount: &amount,
					ProductData: &api.CheckoutSessionCreateLineItemPriceDataProductDataParams{Name: api.String("Tea")},
				},
			}},
		}
	}
	opened, err := stripe.V1CheckoutSessions.Create(t.Context(), params(15000))
	if err != nil || opened.Status != api.CheckoutSessionStatusOpen || opened.URL == "" || opened.AmountTotal != 15000 {
		t.Fatalf("created: %+v, %v", opened, err)
	}
	fake.Buy(opened.ID, "paid")
	paid, err := stripe.V1CheckoutSessions.Retrieve(t.Context(), opened.ID, nil)
	if err != nil || paid.PaymentStatus != api.CheckoutSessionPaymentStatusPaid || paid.PaymentIntent == nil {
		t.Fatalf("paid: %+v, %v", paid, err)
	}
	refund := func(amount int64) (*api.Refund, error) {
		return stripe.V1Refunds.Create(t.Context(), &api.RefundCreateParams{PaymentIntent: &paid.PaymentIntent.ID, Amount: &amount})
	}
	for range 3 {
		if got, err := refund(5000); err != nil || got.Status != api.RefundStatusSucceeded || got.Amount != 5000 {
			t.Errorf("refund: %+v, %v", got, err)
		}
	}
	found := 0
	for _, err := range stripe.V1Refunds.List(t.Context(), &api.RefundListParams{PaymentIntent: &paid.PaymentIntent.ID}).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found++
	}
	if found != 3 {
		t.Errorf("%d refunds are listed", found)
	}
	_, again := refund(1)
	_, fraction := stripe.V1CheckoutSessions.Create(t.Context(), params(-1))
	_, late := stripe.V1CheckoutSessions.Expire(t.Context(), opened.ID, nil)
	_, nobody := stripe.V1CheckoutSessions.Retrieve(t.Context(), "cs_test_nobody", nil)
	_, stranger := sdk("sk_test_stranger").V1CheckoutSessions.Retrieve(t.Context(), opened.ID, nil)
	for err, want := range map[error]api.Error{
		again:    {HTTPStatusCode: 400, Type: api.ErrorTypeInvalidRequest, Code: api.ErrorCodeChargeAlreadyRefunded},
		fraction: {HTTPStatusCode: 400, Type: api.ErrorTypeInvalidRequest, Code: api.ErrorCodeParameterInvalidInteger},
		late:     {HTTPStatusCode: 400, Type: api.ErrorTypeInvalidRequest},
		nobody:   {HTTPStatusCode: 404, Type: api.ErrorTypeInvalidRequest, Code: api.ErrorCodeResourceMissing},
		stranger: {HTTPStatusCode: 401, Type: api.ErrorTypeInvalidRequest},
	} {
		got, said := errors.AsType[*api.Error](err)
		if !said || got.HTTPStatusCode != want.HTTPStatusCode || got.Type != want.Type || got.Code != want.Code {
			t.Errorf("%v, want %d %s %s", err, want.HTTPStatusCode, want.Type, want.Code)
		}
	}
}
