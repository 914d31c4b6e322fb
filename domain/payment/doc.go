// Package payment holds the rules of payments: the states of a payment session, when it holds its checkout's
// only payment slot, when a payment of a provider is accepted, and how much of it can be refunded. Rules:
// features/payments/RULES.md.
//
// # Facts and observations
//
// A session changes by facts: what its provider reports, or what the server concluded itself. Join adds a
// fact. It is monotone, so facts may arrive late, repeatedly and in any order, from webhooks, redirects,
// polls and confirms. A fact that something went wrong without ending the session is recorded as an
// observation; the session then keeps the slot, so that the same action can be retried.
//
// # Booked sessions
//
// A session is booked once its money is recorded, whether or not the money became an order. Later facts do
// not change it: only the first money counts. Money that cannot become its order requires attention until an
// operator resolves it.
//
// # Refunds
//
// RefundState.Join adds facts about a refund in the same way. An unanswered refund blocks further ones,
// because the refundable amount is unknown until it is answered.
//
// # Tax-free parts
//
// A payment can have a part that is free of value added tax, which its provider is told when it begins. Each refund takes
// some of that part and some of the rest, never more than is left of either, as the provider checks it: RefundablePayment's
// TaxFreeShare decides how much. A payment without such a part has the zero Money in all these places, so that providers are
// sent the same bytes as if there were none.
package payment
