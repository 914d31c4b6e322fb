// Package report holds the rules of figures: which days a report is about, in which parts it is read, and how its rows are
// added up.
//
// # What is counted
//
// Figures come from facts that never change once they are recorded, each of one moment and one currency. Amounts of different
// currencies are never added: each group has a row per currency.
//
//   - An order counts on the day it was placed, whatever became of it later: orders, ordered (what it came to, with shipping
//     and after discounts), units. How many orders and units of that day were canceled is told beside it.
//   - Money counts on the day it moved, as the ledger has it. Revenue is what buyers paid. Refunds are what left again: money
//     that was given back or that a provider took back, less what of that came back to the shop because a refund failed or a
//     provider returned it. So net, which is revenue less refunds, is exactly the balance of the ledger.
//
// An order that was paid outside of this system counts as ordered, and brings no revenue. Money is not tied to goods, so
// products have no revenue; orders are not tied to a provider, so providers have no orders.
//
// # Days
//
// A day is one of the shop's time zone: it begins at the first moment that has its date there. It may have 23 or 25 hours.
package report
