// Package returnrequests is return requests, from the customer's request to the refund. Rules:
// features/returns/RULES.md.
//
// # Access
//
// Return requests are reached by operations of their own, by operators, the shop's server and customers.
// Customers see, create and cancel returns of their own orders; they name lines, units and reasons, and no
// amounts: refunded shipping and the return fee follow the order's return policy. Editors do everything but
// the refund, which admins and secret keys with the write scope make. Omitted amounts are 0. The returnable
// units of an order that was never delivered cannot be read; those of a fully returned order can.
//
// # Refunds
//
//   - The refund is made through refunds.Service under a key of the request: once, however often and by
//     however many it is requested.
//   - RefundFollower moves the request in the transaction that records a step of its refund, wherever that
//     comes from: the call, the poller, a webhook.
//   - A refund that the provider refuses leaves the request as it was, with the reason, and may be requested
//     again.
//   - A refund that the bank does later counts as done. If it fails then, the request is open again and the
//     order in return_processing, except an order of which every unit is back, which stays returned and is
//     owed the refund.
//   - A return without anything to refund calls no provider.
//   - The return of an order that nobody paid, sent against an invoice say, refunds 0. When the payment is recorded
//     later, nothing goes back by itself: the next return of the line refunds the earlier units too, or an operator
//     refunds the order.
//
// # Account of the buyer
//
// Whoever requests a return may name the account that its refund goes to, as refunds.Request.Account; whoever refunds it may
// name another. It is sealed in the request, where its last digits are shown, and erased when the money is on its way, or
// the request is rejected or canceled. A refund that the bank cannot pay out later needs it anew.
//
// # Lock order
//
// Order, return request, stock. Requests of one order are decided one after the other.
package returnrequests
