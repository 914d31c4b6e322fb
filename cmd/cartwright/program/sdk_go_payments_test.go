package program

import (
	"strings"

	cartwright "github.com/cartwright-dev/cartwright/adapters/sdk/go"
)

// openSession opens a widget session for a new checkout.
func (s *goShop) openSession() cartwright.PaymentSessionCreateResult {
	s.Helper()
	return callResult(s.PaymentSessions.Create(s.Context(), cartwright.PaymentSessionCreateInput{
		CheckoutID: s.checkout().ID, SuccessURL: "https://shop.example/ok", FailURL: "https://shop.example/no",
	})).ok(s)
}

// pay checks a new cart out and pays for it.
func (s *goShop) pay() cartwright.Order {
	s.Helper()
	opened := s.openSession()
	a := opened.Action
	paid := callResult(s.PaymentSessions.Confirm(s.Context(), cartwright.PaymentSessionConfirmInput{
		PaymentSessionID: opened.PaymentSession.ID, PaymentKey: s.authorize("orderId", a.OrderID, "approve"), OrderID: a.OrderID,
		Amount: a.Amount,
	})).ok(s)
	return *paid.Order
}

func (s *goShop) checkPayments() {
	ctx := s.Context()
	opened := s.openSession()
	if a := opened.Action; a.Type != "widget" || a.Provider != "sandbox" ||
		a.Amount != (cartwright.Money{Amount: "12000", Currency: "KRW"}) || a.SuccessURL != "https://shop.example/ok" {
		s.Errorf("%+v", a)
	}
	held := callResult(s.Checkouts.Retrieve(ctx, opened.PaymentSession.Checkout.ID)).ok(s)
	if string(held.Status) != "payment_pending" || held.PaymentSession == nil || held.PaymentSession.ID != opened.PaymentSession.ID {
		s.Errorf("%+v", held)
	}
	if same := callResult(s.PaymentSessions.Retrieve(ctx, opened.PaymentSession.ID)).ok(s); !same.SlotHeld ||
		same.Amount.Amount != "12000" {
		s.Errorf("%+v", same)
	}
	if gone := callResult(s.PaymentSessions.Cancel(ctx, opened.PaymentSession.ID)).ok(s); gone.Status != cartwright.PaymentSessionStatusCanceled ||
		gone.SlotHeld {
		s.Errorf("%+v", gone)
	}
	if freed := callResult(s.PaymentSessions.Release(ctx, cartwright.PaymentSessionReleaseInput{
		PaymentSessionID: s.openSession().PaymentSession.ID, Note: "Asked by telephone",
	})).ok(s); freed.SlotHeld {
		s.Errorf("%+v", freed)
	}
	order := s.pay()
	if order.Status != cartwright.OrderStatusPaid || order.TotalAmount != "12000" || order.Lines[0].UnitPrice != "12000" {
		s.Errorf("%+v", order)
	}
	if told := callResult(s.Orders.PreviewCancel(ctx, cartwright.OrderCancelInput{OrderID: order.ID, Reason: "Ordered twice"})).
		ok(s); len(told.Money) != 1 || told.Money[0].Amount != "12000" || told.Money[0].Type != "refund" || told.Stock[0].Quantity != 1 {
		s.Errorf("%+v", told)
	}
	if told := callResult(s.Orders.PreviewTransition(ctx, cartwright.OrderTransitionInput{OrderID: order.ID, To: cartwright.OrderStatusPreparing})).
		ok(s); len(told.Money) != 0 || told.Records[0].Changes[0].To != "preparing" {
		s.Errorf("%+v", told)
	}
	if canceled := callResult(s.Orders.Cancel(ctx, cartwright.OrderCancelInput{OrderID: order.ID, Reason: "Ordered twice"})).
		ok(s); canceled.Status != cartwright.OrderStatusCanceled || canceled.RefundedAmount != "12000" {
		s.Errorf("%+v", canceled)
	}
	callResult(s.Orders.Transition(ctx, cartwright.OrderTransitionInput{OrderID: order.ID, To: cartwright.OrderStatusShipped})).
		refused(s, cartwright.ReasonOrderTransitionInvalid)
}

// checkCaptures captures a part of an authorized payment, once.
func (s *goShop) checkCaptures() {
	ctx := s.Context()
	connections := callResult(s.Collections.ProviderConnections.Find(ctx, cartwright.Query{Where: where("provider", "sandbox")})).ok(s)
	mode := func(m cartwright.PaymentSessionCapture) {
		for _, c := range connections.Docs {
			callResult(s.Collections.ProviderConnections.Update(ctx, c.ID, cartwright.ProviderConnectionUpdate{Capture: &m})).ok(s)
		}
	}
	mode(cartwright.PaymentSessionCaptureManual)
	order := s.pay()
	mode(cartwright.PaymentSessionCaptureAutomatic)
	if order.Status != cartwright.OrderStatusAuthorized || order.Authorization.Amount != "12000" {
		s.Errorf("%+v", order)
	}
	part := cartwright.OrderCaptureInput{OrderID: order.ID, Amount: &cartwright.Money{Amount: "9000", Currency: "KRW"}}
	done := callResult(s.Orders.Capture(ctx, part)).ok(s)
	if done.Order.PaymentStatus != cartwright.OrderPaymentStatusPartiallyPaid || done.Transaction.Amount != "9000" {
		s.Errorf("%+v", done)
	}
	callResult(s.Orders.Capture(ctx, cartwright.OrderCaptureInput{OrderID: order.ID})).refused(s, cartwright.ReasonPaymentNotAuthorized)
}

func (s *goShop) checkAggregator() {
	ctx := s.Context()
	hosted := cartwright.HostedV2{
		CheckoutID: s.checkout().ID, Method: cartwright.PaymentMethodCardKr, RedirectURL: "https://shop.example/back",
	}
	opened := callResult(s.PaymentSessions.CreateAggregator(ctx, hosted)).ok(s)
	if !strings.HasPrefix(opened.CheckoutURL, "http") || opened.Action != nil {
		s.Errorf("%+v", opened)
	}
	s.authorize("sessionId", opened.PaymentSession.ProviderSessionID, "approve")
	paid := callResult(s.PaymentSessions.RetrieveAggregator(ctx, opened.PaymentSession.ID)).ok(s)
	if paid.Order == nil || paid.Order.Status != cartwright.OrderStatusPaid ||
		paid.PaymentSession.Status != cartwright.PaymentSessionStatusSucceeded {
		s.Fatalf("%+v", paid)
	}
	connection := callResult(s.Collections.ProviderConnections.FindByID(ctx, paid.PaymentSession.Connection.ID, cartwright.Query{})).ok(s)
	there := cartwright.PaymentSessionFindAggregatorInput{
		AccountKey: connection.AccountKey, Environment: cartwright.EnvironmentTest,
		ProviderPaymentID: paid.PaymentSession.ProviderPaymentID,
	}
	if found := callResult(s.PaymentSessions.FindAggregator(ctx, there)).ok(s); !found.Found ||
		found.PaymentSession.ID != opened.PaymentSession.ID {
		s.Errorf("%+v", found)
	}
	settle := cartwright.PaymentSessionReconcileAggregatorInput(there)
	if again := callResult(s.PaymentSessions.ReconcileAggregator(ctx, settle)).ok(s); !again.Found || again.Order == nil ||
		again.Order.ID != paid.Order.ID {
		s.Errorf("%+v", again)
	}
	there.ProviderPaymentID, settle.ProviderPaymentID = "nobodysPayment", "nobodysPayment"
	if none := callResult(s.PaymentSessions.FindAggregator(ctx, there)).ok(s); none.Found || none.PaymentSession != nil {
		s.Errorf("%+v", none)
	}
	if none := callResult(s.PaymentSessions.ReconcileAggregator(ctx, settle)).ok(s); none.Found || !none.RequiresAttention {
		s.Errorf("%+v", none)
	}
	hosted.CheckoutID = s.checkout().ID
	left := callResult(s.PaymentSessions.CreateAggregator(ctx, hosted)).ok(s)
	s.authorize("sessionId", left.PaymentSession.ProviderSessionID, "abandon")
	if gone := callResult(s.PaymentSessions.CancelAggregator(ctx, left.PaymentSession.ID)).ok(s); gone.Status != cartwright.PaymentSessionStatusCanceled {
		s.Errorf("%+v", gone)
	}
	standard := callResult(s.PaymentSessions.CreateAggregator(ctx, cartwright.StandardV2{
		CheckoutID: s.checkout().ID, RedirectURL: "https://shop.example/back",
	})).ok(s)
	if a := standard.Action; standard.CheckoutURL != "" || a == nil || a.Type != "requestPayment" || a.Version != "standard_v2" ||
		a.Currency != "CURRENCY_KRW" || a.TotalAmount != 12000 || len(a.PaymentID) < 6 || len(a.PaymentID) > 40 {
		s.Errorf("%+v", standard)
	}
}

func (s *goShop) checkCustomPayments() {
	ctx := s.Context()
	mark := s.cart(s.variant) // a unique text
	created := callResult(s.PaymentSessions.Custom.Create(ctx, cartwright.PaymentSessionCustomCreateInput{
		CheckoutID: s.checkout().ID, ProviderSessionID: "session-" + mark, ProviderName: "Bank",
	})).ok(s)
	if created.Kind != cartwright.PaymentSessionKindCustom {
		s.Errorf("%+v", created)
	}
	paid := cartwright.PaymentSessionCustomConfirmInput{
		ProviderSessionID: "session-" + mark, ProviderPaymentID: "payment-" + mark, EventID: "event-" + mark,
		Captured: cartwright.Money{Amount: "12000.00", Currency: "KRW"},
	}
	wrong := paid
	wrong.Captured.Amount, wrong.EventID = "11999", "other-"+mark
	callResult(s.PaymentSessions.Custom.Confirm(ctx, wrong)).refused(s, cartwright.ReasonPaymentAmountMismatch)
	paid.Captured.Amount = "12000"
	done := callResult(s.PaymentSessions.Custom.Confirm(ctx, paid)).ok(s)
	seen := callResult(s.PaymentSessions.Custom.Retrieve(ctx,
		cartwright.PaymentSessionCustomRetrieveInput{ProviderPaymentID: "payment-" + mark})).ok(s)
	if seen.OrderID != done.Order.ID || seen.Amount.Amount != "12000" || string(seen.Status) != "succeeded" {
		s.Errorf("%+v %+v", done, seen)
	}
}
