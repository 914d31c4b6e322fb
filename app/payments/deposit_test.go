package payments_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// virtualAccount makes every payment of p wait for a deposit to an account that is due after a while.
func (p *scriptedProvider) virtualAccount(due time.Time) {
	p.script(func(got *ports.ProviderPayment) {
		if got.State == ports.ProviderAbsent {
			return
		}
		got.State, got.Instructions = ports.ProviderProcessing, &payment.Instructions{
			Bank: "우리은행", BankCode: "20", Account: "X6505636518308", Holder: "Kim", Amount: got.Amount, Due: due,
		}
	})
}

// deposit is the buyer's.
func (p *scriptedProvider) deposit() { p.script(func(*ports.ProviderPayment) {}) }

func TestBuyerIsToldWhereToPay(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		p := b.scriptProvider()
		due := paymentbed.Start.Add(3 * 24 * time.Hour)
		p.virtualAccount(due)
		session := b.Pay(b.Checkout("2 mug").Text("checkout.id"))
		key := b.Approve(session, "approve")
		call := b.Server(paymentbed.Key(), "paymentSessions.confirm", "")
		confirm := func() paymentbed.Answer {
			return b.Must(b.Payments.Sessions.Confirm(t.Context(), call, paymentbed.Confirmation(session, key)))
		}
		told := confirm()
		for path, want := range map[string]string{
			"status": "processing", "instructions.account": "X6505636518308", "instructions.bank": "우리은행", "instructions.bankCode": "20",
			"instructions.holder": "Kim", "instructions.amount": "27000", "instructions.currency": "KRW",
			"instructions.due": "2026-02-03T09:00:00.000Z", "expiresAt": "2026-02-03T09:00:00.000Z",
		} {
			if got := told.Text("paymentSession." + path); got != want {
				t.Errorf("%s is %q, want %q", path, got, want)
			}
		}
		if told.At("order") != nil {
			t.Errorf("an order without money: %v", told.At("order"))
		}
		b.Advance(2 * 24 * time.Hour)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		if l := b.Level("mug"); l.Reserved != 2 {
			t.Errorf("while the deposit is due: %+v", l)
		}
		p.deposit()
		if done := confirm(); done.Text("order.status") != "paid" || done.Text("paymentSession.status") != "succeeded" {
			t.Errorf("after the deposit the same key answers %v", done)
		}
		if l := b.Level("mug"); l.Reserved != 0 || l.OnHand != 98 {
			t.Errorf("afterwards: %+v", l)
		}
	})
}

func TestGoodsWaitForADepositUntilItIsDue(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		p := b.scriptProvider()
		p.virtualAccount(paymentbed.Start.Add(40 * 24 * time.Hour))
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		b.CaptureAtBank(session, b.Approve(session, "approve"))
		b.SettleSession(session)
		b.Advance(payment.MaxDepositWait - time.Minute)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		if l := b.Level("mug"); l.Reserved != 1 {
			t.Errorf("within a week: %+v", l)
		}
		b.Advance(2 * time.Minute)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		if l := b.Level("mug"); l.Reserved != 0 {
			t.Errorf("after a week: %+v", l)
		}
		p.deposit() // late, and the goods are still there
		b.SettleSession(session)
		if all := b.All(order.Schema); len(all) != 1 || all[0].Text("status") != "paid" {
			t.Errorf("%v", all)
		}
	})
}

// Whose payment it is and how much it asks for is compared before the buyer is told anything.
func TestNobodyIsToldToPayForAnotherPayment(t *testing.T) {
	for name, change := range map[string]func(*ports.ProviderPayment){
		"another payment": func(p *ports.ProviderPayment) { p.PaymentID = "Other12345" },
		"another account": func(p *ports.ProviderPayment) { p.AccountKey = "somebody else's" },
		"another amount":  func(p *ports.ProviderPayment) { p.Amount.Minor++ },
	} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				p := b.scriptProvider()
				p.virtualAccount(paymentbed.Start.Add(24 * time.Hour))
				waits := *p.change.Load()
				p.script(func(got *ports.ProviderPayment) { waits(got); change(got) })
				session := b.Pay(b.Checkout("mug").Text("checkout.id"))
				b.CaptureAtBank(session, b.Approve(session, "approve"))
				if s := settled(t, b, session); s.Instructions != nil {
					t.Errorf("the buyer is told %+v", *s.Instructions)
				}
			})
		})
	}
}

// However often a payment is looked up, one event of its session has the instructions.
func TestBuyersAreWrittenToOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		b.CaptureAtBank(session, b.Approve(session, "virtual_account"))
		id := session.Text("paymentSession.id")
		before := b.Get(payment.Sessions, id)
		shops.Concurrently(12, func(i int) {
			if _, err := instances[i%2].Payments.Settler.Settle(t.Context(), b.Shop.ID, id); err != nil {
				t.Errorf("look-up %d: %v", i, err)
			}
		})
		after := b.Get(payment.Sessions, id)
		if s := payment.SessionFrom(after); after.Sequence() != before.Sequence()+1 || s.Instructions == nil || s.Email == "" {
			t.Errorf("%d events: %+v", after.Sequence()-before.Sequence(), s)
		}
	})
}

// What was paid by a deposit may be taken back by its bank, and paid again, within minutes: its webhooks always count.
func TestWebhookOfADepositIsNeverIgnored(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		p := b.scriptProvider()
		p.virtualAccount(paymentbed.Start.Add(3 * 24 * time.Hour))
		s := b.Pay(b.Checkout("mug").Text("checkout.id"))
		key := b.Approve(s, "approve")
		b.Must(b.Confirm(s, key))
		deliver := func(event string) {
			t.Helper()
			n := b.paymentWebhook(event, s.Text("action.orderId"), b.Account)
			if err := b.Webhooks.HandleWebhook(t.Context(), b.Connection, n); err != nil {
				t.Fatal(err)
			}
			if counted, err := b.Store.ProcessedWebhooks().Seen(t.Context(), b.Shop.ID, b.Connection, event); err != nil || !counted {
				t.Errorf("%s: counted %v, %v", event, counted, err)
			}
		}
		deliver("evt_account")
		p.deposit()
		deliver("evt_deposit")
		if got := b.Get(payment.Sessions, s.Text("paymentSession.id")).Text("status"); got != "succeeded" {
			t.Errorf("after the deposit: %s", got)
		}
		deliver("evt_again")
	})
}
