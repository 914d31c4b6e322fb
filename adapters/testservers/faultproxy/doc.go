// Package faultproxy sits between a client and a real server and does to their messages what networks do: it
// loses answers, cuts connections, delays messages. It records each request byte by byte, so that a test can show
// that a retry repeats the original request and that both had one effect.
//
// A test orders a fault for the next matching request, and everything else passes:
//
//	p := faultproxy.Start(t, server.URL)             // p.URL is the client's base URL
//	lost := p.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Method: "POST", Path: `/carts/[^/]+/items$`})
//	…                                                // the client adds an item
//	<-lost.Triggered()                               // the server has done it, but the client gets no answer
//	sent := p.Requests()                             // two, with one Key and one Body; the second is Replayed
//
// Faults apply in the order in which they were injected; each to one request, or to Times of them. A Path is a
// regular expression for the path without its query. A fault without a Method matches every method but OPTIONS, so
// that a browser's preflights pass. Delay and Hold wait for Release. At the end of a test Start reports faults that
// no request triggered, since they proved nothing.
//
// Programs in other languages use HTTP, at the proxy itself; these calls are neither forwarded nor recorded:
//
//	POST   /__faults               {"kind": "drop", "method": "POST", "path": "/items$"}   201 {"id": 1}
//	POST   /__faults/{id}/await    answers once the fault was triggered                    200 {"struck": 1}
//	POST   /__faults/{id}/release  releases what the fault holds back                      200 {"struck": 1}
//	GET    /__faults/requests      all requests since the last DELETE                      200 {"requests": […]}
//	DELETE /__faults               clears requests and faults, releases what they hold     200 {"unmet": […]}
//
// Every connection serves one request. On a reused connection some clients silently resend a request when no byte
// of its answer arrived (Go's with an Idempotency-Key; Chromium any request); here every attempt was made by the
// caller's code.
package faultproxy
