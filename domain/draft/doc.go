// Package draft holds the rules of draft orders: orders that an operator puts together by hand and finalizes.
// Rules: features/drafts/RULES.md. What follows are details that they leave open.
//
// # Content
//
//   - A draft accepts any text as an email; finalizing requires a valid one. A missing email defaults to that
//     of the customer's record.
//   - Lines of the same variant stay separate, as they were entered; their quantities are added up for the
//     stock check.
//   - Lines have ids, so that errors can name them. Drafts have no admissions: an event is sold without
//     naming who attends.
//   - The customer's notes are copied to the order. Internal notes stay in the draft, where customers cannot
//     read them.
//
// # Amounts
//
//   - A shipping fee set by the operator applies as it is, even beside a code for free shipping. If nothing
//     ships, there is no fee whatever the draft has. Rule shipping-1.
//   - The totals of a draft are stored when it is finalized and equal those of the order. Before, only
//     calculate returns totals.
//   - Calculate works for a draft in any state, by current prices. A line that cannot be sold has no price
//     and is left out of the sums; a line with too little stock counts.
//   - The market of a draft in another currency than the shop's that names none is found when the draft is calculated or
//     finalized, as its prices are: the default one of several, else the oldest.
//   - A fee that the operator set is an amount: it does not go along when the draft changes to another currency, and has
//     to be given again.
//
// # End
//
//   - Discarding is final. Discarding a discarded draft again under another key is refused.
package draft
