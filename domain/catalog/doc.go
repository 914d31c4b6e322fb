// Package catalog has what a tenant sells: products with options and variants, how they are grouped, and what
// they cost in each market. Rules: features/catalog/RULES.md. What follows are details that they leave open.
//
// # Variants
//
//   - A variant cannot move to another product.
//   - Option values are identified by the ids of the rows in product-options.
//   - A product without explicit variants has one default variant, marked by an internal field.
//
// # Low stock
//
// A product or variant with a lowStockThreshold is low while at most that many units are available: on hand
// and not reserved. A product adds up its variants, except those whose units are not tracked. Variants do not
// inherit the product's threshold, so crossing one threshold emits one event.
//
// Stock is per environment, and so is low stock: readers see lowStock of their environment, and filter by it.
// The record stores the flag of each environment. It is updated in the transaction that changes the stock,
// whether by a sale, a reservation or its end, or an edit. A flag that changes emits one update event of the
// record, with lowStock in its data; a sale that crosses no threshold emits none. The event belongs to the
// environment of the stock, so a test purchase triggers no alert in live. A subscriber to one environment
// therefore sees gaps in the record's numbers.
//
// An edit that makes the stock low emits its own event before the low-stock event. The create event of a
// record has lowStock from the start.
package catalog
