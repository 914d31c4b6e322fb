// Package cart holds the rules of shopping carts: which changes are allowed and what they result in. The rules
// are numbered in features/carts/RULES.md; what follows are details that they leave open.
//
// # Lines
//
//   - The price flag (priceChanged) compares with the previous revision only.
//   - A line whose variant was deleted keeps its last price and counts in the totals until the shopper removes
//     it.
//   - Giving a line the attributes of another line of the same variant joins the two lines.
//
// # Merging
//
//   - A cart never passes from one customer to another. If the source belongs to a customer, so does the target
//     after the merge.
//   - A quantity above the limit of a line is lowered in the same way as a quantity above the stock.
//   - A line whose variant is sold out is removed, with a warning that 0 units were kept. A line whose
//     variant is not on sale stays, unavailable.
//   - Where a line keeps fewer units than it has admissions, admissions are removed from the end, which are the
//     source's.
//   - A merge is refused if the result would exceed the limit of codes or attributes; none are dropped.
//   - The source stays readable with its lines. A checkout made of it before stays valid, since its lines are
//     frozen.
package cart
