// Package payments opens payment sessions for checkouts and settles them: redirects, polls, confirms,
// webhooks and reconciliation all end in one settle, which places the order of a paid checkout. Rules:
// features/payments/RULES.md.
//
// # The settle ladder
//
// To settle is to bring our records in line with the provider. Each rung adds one thing:
//
//	Settle           reads the session and its checkout, and ends early when nothing can be new
//	observe          asks the provider, outside of any transaction, and compares its answer with what was asked for
//	apply            the transaction: locks, joins the observed fact to the session's state, retries as an unapplied payment
//	book             the transaction record and the ledger's charge, with an order or without one
//	checkouts.Place  the order: stock taken, codes counted, fulfillment orders, cart and checkout completed
//
// Repeating a settle changes nothing. Settler has the ladder; everything else ends in it: Sessions (confirm,
// cancel), AggregatorSessions (retrieve), CustomSessions (whose observation is the server's statement),
// AggregatorReconciler, Webhooks, Poller.
//
// # Locks and remote calls
//
// Lock order: cart, checkout, payment session, discounts, stock. No provider is called inside a transaction.
//
// # Decisions about sessions
//
//   - A session that is closed or paid answers payment_session_terminal to cancel. One that was released may
//     still be paid: canceling it closes it at its provider.
//   - A payment that arrives after its checkout expired still becomes the order if the stock is there.
//   - A provider's answer about another account's payment is never booked.
//   - The addresses below /payment-sessions/aggregator know hosted and standard sessions only;
//     /payment-sessions/{id} shows, cancels and releases sessions of every kind.
//   - A failed lookup is reported to shoppers too; for the two seconds after it they read what is known.
//   - A connection's methods are checked when the slot is taken, not on a retry of the same action.
//   - A standard action is in KRW, the one currency of its version.
//   - A hosted page must have an https URL; else the provider counts as not having answered. The sandbox may
//     use http on this machine.
//   - A URL that contains the checkout's token is refused. A malformed URL is refused before the idempotency
//     key is used up; whether its site is allowed is checked under the key, because the tenant may change
//     that and a replay must answer the same.
//
// # One slot per cart
//
// A cart is locked before any of its checkouts and sessions, so everything below is decided in turn (Decision
// 38):
//
//   - Money that fits its checkout becomes the order, whoever holds the slot. In the same transaction every
//     other session of the cart loses the slot, and money that another one brought before is to be refunded.
//   - A session without the slot may still be paid until its provider confirms that it is closed. The poller
//     closes those whose checkout can no longer become an order; a new checkout of the cart closes them first.
//   - A session whose page was never handed out cannot be paid, whatever its provider knows of it.
//
// # Webhooks
//
// A webhook is only a hint to look the payment up; its contents are never trusted. An event is marked
// processed after its payments are settled, so a crash or a failure leaves it to the provider's next
// delivery. Events about unknown payments are not stored.
//
// # Asking once
//
// The provider is asked once for each piece of news. The answer to a confirm takes the place of a look-up where it says as
// much and cannot be a repetition (ports.Outcome.Payment). Of the webhook and the buyer, who come together, the second waits
// for what the first finds out (underway), in this process; others find out by themselves. What a step locks and reads is
// guessed from what the process has just written (package recent), and decided on what the transaction locks.
//
// # Authorized payments
//
// Where the connection says so, the approval authorizes a payment (FactAuthorized) and the provider holds the money. The
// session is booked all the same: its order is placed in the same transaction, with a transaction record but no ledger
// entry, and package refunds captures or voids it. An authorization that cannot become its order is released without
// anybody's decision: no money moved, so that nothing is to be refunded or explained.
//
// # Deposits
//
// A payment by virtual account is processing until its buyer has paid into it. Whatever looks it up brings the
// provider's instructions, which the session keeps and shows. They prolong a reservation that lasts, in the
// same transaction; one that is over is not taken again, since the goods may be somebody else's by now. The
// answer of a confirm that has instructions is not stored: later the same key answers the order.
//
// # Custom sessions
//
// Custom sessions serve providers without an adapter: the shop's server is trusted and no provider is called.
//
//   - A provider session belongs to one payment session for good, a provider payment pays one session, an
//     event reports one payment. A refused event has reported nothing.
//   - Only the shop's server cancels such a session, which says that the provider closed it. A payment that
//     is reported later counts all the same.
//
// # Polling
//
// What has to be looked at again is a payment task: a row with the time at which it is next due, written with the
// session or refund (Decision 39). Poller claims due tasks lane by lane; a connection is a lane, and so are all
// reservations together, which end whether or not a provider answers.
//
// # Find and reconcile
//
// Both compare exactly, within the account and the key's own environment; the other environment is refused.
// Two sessions that match count as none.
//
// # Unapplied payments
//
// A payment that did not become its order requires attention: so does its session, and its checkout unless
// that has an order. Both say what is suggested; package refunds resolves them. The ledger's charge never
// changes, but is assigned to the order when one is placed after all.
package payments
