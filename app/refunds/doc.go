// Package refunds has what becomes of a payment after it was booked. It captures or voids payments that were authorized only,
// and gives payments back: refunds of orders, the cancel of an order before it ships, attention
// cases, and the external refunds that are made at a provider without us. Rules: features/payments/RULES.md
// and features/orders/RULES.md.
//
// # Refunds
//
//   - A refund is recorded before the provider is asked, and counts from then on: concurrent refunds never
//     exceed what was paid.
//   - An amount is taken from the first payment of the order that has enough left.
//   - A refund of a payment waits for the answer to the one before it, because providers compare the
//     remaining amount.
//   - A refund that the provider accepted but does later counts as done for its caller; the poller follows
//     it.
//   - Payments of custom sessions, manual payments and orders that were paid outside this platform are
//     refunded by being recorded; no provider is asked.
//   - When a refund is refused because of an external refund, that is recorded and the request is planned
//     again.
//
// # Refunds to an account
//
// A payment by virtual account cannot go back to where it came from: whoever refunds it names an account of the buyer. Of
// which payments that is so, the description of their provider's adapter says (payment.RefundAccounts).
//
//   - Without an account such a refund is refused as refund_account_required, before anything is recorded or sent; so is
//     the cancel of an order, of all its payments at once. A payment that needs none ignores the account.
//   - The account is nowhere but in the bytes of the call to the provider, which are stored sealed, and in a return request
//     that its buyer named it for. No transaction, event, receipt or answer has it; errors of the call are cleared of it.
//   - As long as the outcome of the refund is unknown, the bytes are kept: every attempt sends the same ones, whatever
//     account a repeated request names. They are erased in the transaction that records that the provider accepted or
//     refused. After a refusal the refund is requested anew, with the account named anew.
//
// # Authorized payments
//
// What a provider holds for an order is captured once, or voided. Both are a logged call, a look-up, and a transaction under
// the order's lock that records what the look-up shows: the provider does one of two calls that cross, and its state says
// which.
//
//   - Due is derived from the order, never stored: a void while it is canceled or being canceled, or where there is no
//     order; a capture of everything once all of it was shipped or completed, if its connection captures on shipping. An
//     operator captures a part or all of it by a request of its own, whose key the transaction keeps: it answers the same
//     request again, and refuses another one as capture_in_progress until a look-up, when no call can be on its way any
//     more, shows that it came to nothing.
//   - The money is booked when it was captured: ledger, order and the transaction, which is paid with the captured amount
//     then. What was captured or released in the provider's console is recorded by the same path.
//   - A cancel waits for the release. Should the provider have captured, the cancel begins anew and refunds. A refused void
//     calls it off.
//   - A payment task looks at the payment four times a day, and after every call whose answer got lost, ever more rarely. It
//     asks for an operator a day and a half before the authorization ends, when the provider refuses, and when its answer
//     contradicts our records.
//   - Goods of an order whose payment could still be captured are not taken back: capture first, as much as is to be kept.
//   - An order whose authorization ended is unpaid and on hold. It is not canceled by itself, as other unpaid orders are:
//     the shop may want to ask the buyer for another payment.
//
// # Canceling an order
//
//   - Money first: the order stays as it was until the provider took the refund, and nothing else moves it
//     meanwhile.
//   - When the provider refuses, the cancel is called off with provider_rejected and may be tried again;
//     unless it refused because of external refunds: then the cancel refunds what is left, and is finished at
//     once when nothing is.
//   - A refund that the provider does later cancels the order at once. Should it fail then, the order is paid
//     again though canceled, its transaction says so, and another cancel refunds what is owed.
//   - A canceled order of which nothing is left to refund answers order_transition_invalid, except to calls
//     that found it not canceled: concurrent cancels all answer the canceled order.
//
// # Canceling lines
//
//   - The units are planned, with what they come to, under the lock of the order, and stand on it as a cancel in progress
//     while their refund is under way. Until that is answered the order takes no other step, so that the plan stays true.
//   - The transaction that records that the provider accepted the refund takes the units off the order and its fulfillment
//     orders, and puts them back into stock; the one that records a refusal takes the plan off again.
//   - Less goes back than the units came to where less was paid (a payment that was captured in part), or where so much was
//     given back before that less is left. A preview says how much.
//   - Of an order that is not paid nothing goes back: it comes to less, which is what a payment by hand records, and what a
//     capture collects of an authorized payment. While a capture is under way, nothing is canceled.
//   - A refund that fails after it was accepted does not bring the units back: its transaction says so, and an amount can be
//     refunded once more.
//
// # Refunding an amount
//
//   - An operator names an amount and a reason. It comes from the first payment that has as much left, and moves no goods.
//   - A preview plans the same under the same lock, and takes everything back.
//
// # Attention cases
//
// A payment that did not become its order requires attention. An operator places the order, refunds the
// payment, or dismisses it as resolved elsewhere; a refund that fails later lets it require attention again.
// A checkout whose payments are all resolved is canceled, so that its cart can be bought again.
//
// # External refunds
//
// A refund can be made at the provider without us, for example in its console. Providers compare the
// remaining amount with what we send, so from then on they refuse every refund of ours.
//
//   - Detected: whenever a refund is refused, when a webhook concerns a refund, and on reconcile, the payment
//     is looked up and each refund that the provider lists and we do not know is recorded.
//   - Recorded: under the lock of the order, keyed by the provider's id of the refund, which the ledger takes
//     once; marked as not made here. One that is pending at the bank is recorded as such and followed like
//     ours.
//   - Never: it does not cancel, ship or return anything, because its purpose is unknown; only the refunded
//     amount of the order changes.
//   - Not recorded: while the outcome of a refund of ours is unknown, which might be the one; for a payment
//     that the provider reports differently than it is booked; beyond what was paid.
//   - Then: a refund, return or cancel whose caller waits is planned again. What is left is refunded, or
//     refused as refund_exceeds_paid naming it; a cancel with nothing left is finished; an unapplied payment
//     that is refunded in full is resolved as refunded. The poller does not plan again what was refused: it
//     may have been refunded by hand for that very reason, and the caller can ask again.
//
// # Reversals
//
// A provider can take money back that was booked: a bank reverses a deposit, or a buyer disputes a payment.
//
//   - Detected where external refunds are, and by the watch of booked deposits: the payment is not paid any more, or
//     lists money that is gone.
//   - Recorded: under the lock of the order, or of the session without one, as a transaction of type reversal and a
//     ledger entry, numbered for each payment. When the shop has the money again, the transaction says returned and the
//     ledger gets a charge.
//   - The order is on hold and its session requires attention, as domain/payment.State.Follow decides from what became
//     of the money and of the order. Every later step of the money decides it again.
//   - Of two look-ups that cross, the older one may be recorded last. Each recorded step plans another look within a
//     minute, which corrects it.
//   - Not recorded: while a refund of ours is unanswered, which may be why the payment is not paid.
//
// # Disputes
//
// A dispute is recorded with the payment's session as its provider lists it, in the same transaction as the money that it
// took. It is answered at the provider: what counts there as evidence differs too much for one API.
package refunds
