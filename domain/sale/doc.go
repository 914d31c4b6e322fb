// Package sale has what carts, checkouts, drafts and orders share: the line, the buyer's contact, the
// shipping address and the totals. Each has a Go type, the fields that declare it in a schema, and a codec
// between the two (Record and …From).
//
// # Adding a field to a line
//
// Add it to
//
//  1. Line, the type;
//  2. LineFields, its declaration, from which columns, REST, GraphQL and the SDKs derive;
//  3. Line.Record and LineFrom, the codec;
//  4. where its value comes from: Line.SetOffer if the catalog has it, cart.LineInput if the shopper sends it.
//
// Carts, checkouts and orders embed Line and use its codec, so the field is copied from the cart to the order
// without further code. TestCodecsOfSalesCoverTheirSchemas in package domain fails if one of the first three is
// missing.
package sale
