// Package checkouts freezes carts into checkouts and places the orders of those that need no provider. Rules:
// features/checkouts/RULES.md.
//
// A checkout is a cart's lines, codes and prices as they were when it was made, with a buyer and an address.
// It lives 24 hours. While a payment session holds its payment slot nothing about it changes. Package
// payments settles sessions and completes their checkouts through the functions that are exported here:
// LockWithCart, Reserve, ReleaseReservation, Place.
//
// # Lock order
//
// Cart, checkout, payment session, discounts, stock.
//
// # Legacy checkout
//
// The previous generation's checkout (Service.Legacy) is one call:
//
//   - Codes in the request replace the cart's for this checkout only, and all of them have to apply.
//   - A chosen order number is stored in the checkout and used at placement; if it is taken by then, another
//     one is drawn.
//   - An external payment id is stored in the order's metadata.
//   - A tenant whose orders are placed before they are paid gets the order at once: stock is taken, codes are
//     counted and fulfillment orders are made, as for a paid order.
package checkouts
