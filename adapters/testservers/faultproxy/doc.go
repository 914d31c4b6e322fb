// Package faultproxy stands between a client and a real server and does to their messages what networks do: it loses
// answers, cuts connections, keeps messages back. It writes down each request to the byte, so that a test can say that what
// was sent again is what was sent before, and that it had one effect.
//
// A test orders a fault for the next request that fits, and everything else passes:
//
//	p := faultproxy.Start(t, server.URL)             // p.URL is the client's base URL
//	lost := p.Next(faultproxy.Fault{Kind: faultproxy.Drop, Method: "POST", Path: `/carts/[^/]+/items$`})
//	…                                                // the client adds an item
//	<-lost.Struck()                                  // the server has done it, the client will not hear of it
//	sent := p.Requests()                             // two, with one Key and one Body; the second is Replayed
//
// Orders are taken in the order they were given; each is for one request, or for Times of them. A Path is a regular
// expression for the path without its query. An order without a Method is for every method but OPTIONS, so that a browser's
// preflights go by. Delay and Hold wait for Release. At the end of a test Start complains of orders that no request met: a
// fault that never struck has proved nothing.
//
// Programs in other languages say the same over HTTP, at the proxy itself; these calls are neither passed on nor recorded:
//
//	POST   /__faults               {"kind": "drop", "method": "POST", "path": "/items$"}   201 {"id": 1}
//	POST   /__faults/{id}/await    answers once the order has struck                       200 {"struck": 1}
//	POST   /__faults/{id}/release  lets what it keeps back go                              200 {"struck": 1}
//	GET    /__faults/requests      all requests since the last DELETE                      200 {"requests": […]}
//	DELETE /__faults               forgets requests and orders, releases what is kept      200 {"unmet": […]}
//
// Every connection serves one request. On a kept one, some clients quietly send a request again when no byte of its answer
// came (Go's, if it has an Idempotency-Key; Chromium any request); here every attempt is one that the caller's code made.
package faultproxy
