// Package cartwright is the Go SDK of Cartwright for servers: catalog, carts, checkouts, payments, orders,
// returns and every collection of a shop, with its secret key. It needs the standard library only.
//
//	shop, err := cartwright.New(cartwright.Config{BaseURL: "https://shop.example", SecretKey: os.Getenv("SHOP_KEY")})
//	…
//	cart, err := shop.Carts.Create(ctx, cartwright.CartCreateInput{})
//	change, err := shop.Carts.AddItem(ctx, cartwright.CartAddItemInput{CartID: cart.Cart.ID, VariantID: variant, Quantity: 2})
//
// # One effect for each operation
//
// Whatever changes something carries an idempotency key. The client makes it, writes it down with the exact
// bytes of the request, and only then sends. After no answer, 429, 502, 503 or 504 it sends the same bytes
// under the same key again; if the outcome stays unknown, the operation stays pending, and the next call with
// the same input, or Pending.Resume after a restart, goes on with it. So the server does it once. With a
// FileStore that holds over crashes; the default, memory, holds as long as the process.
//
// Two operations that are meant to be two although their inputs are equal – a second mug in the same cart –
// are two as long as the outcome of the first is known or it is still being sent. After an outcome that
// stayed unknown the next equal call is taken for the same operation, however much later it comes: where that
// may be meant to be another one, give each call a key of your own by WithIdempotencyKey.
//
// What sets something – an address, a quantity, the checkout of a cart – is forgotten when a later change of
// the same thing succeeds: it never comes back over that.
//
// A refusal is never repeated behind the caller's back. After ReasonCartRevisionConflict retrieve the cart,
// decide anew, call again. An answer that the server replays is a receipt: CartChange.Cart stays the newest
// cart that was seen.
//
// # Money
//
// Amounts are exact decimals (Amount), written as JSON numbers and never a float.
//
// # Null
//
// In answers null reads as the zero value: "", 0, false, a zero time, an Amount "". Where 0 says something
// else than null the field is a pointer. In inputs zero values of optional fields are left out; optional
// numbers and truth values are pointers, so that new(int64(0)) can be said, and everything in an Update is.
// UpdateFields says null.
//
// # Webhooks
//
// VerifyWebhook and WebhookHandler check and read deliveries by Standard Webhooks.
package cartwright

//go:generate sh -c "cd ../../.. && go run ./cmd/cartwright openapi | go run ./adapters/sdk/go/internal/generate -o adapters/sdk/go/types_gen.go"
