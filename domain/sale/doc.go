// Package sale has what carts, checkouts, drafts and orders share: the line, the buyer's contact, the
// shipping address and the totals. Each has a Go type, the fields that declare it in a schema, and a codec
// between the two (Record and …From).
//
// # Adding a field to a line
//
// Add it to Line, to LineFields, from which columns, REST, GraphQL and the SDKs derive, and to Line.Record and
// LineFrom; then to where its value comes from: pricing.Offer and Line.SetOffer if the catalog has it,
// cart.LineInput if the shopper sends it. Carts, checkouts and orders embed Line and use its codec, so the field
// is copied from the cart to the order without further code.
//
// The recipe in .github/CONTRIBUTING.md has every step, with the test that notices when it is missing.
package sale
