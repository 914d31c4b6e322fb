package program

// A buyer who chose a virtual account on PortOne's page is told where to pay.
func (x *providerShop) payToPortOneAccount() {
	opened := x.open("portone", object{"mode": "hosted_v2", "method": "CARD_KR"})
	session := opened["paymentSession"].(object)
	page := textAt(session, "providerSessionId")
	if !x.portOne.Buy(x.paymentID(session), page, nil, "VIRTUAL_ACCOUNT_ISSUED") {
		x.Fatal("the buyer got no account")
	}
	x.wantInstructions(x.must("GET", "/server/commerce/payment-sessions/aggregator/"+textAt(session, "id"), nil, x.secret),
		"신한은행", "56211102345678")
	if !x.portOne.Buy(x.paymentID(session), page, nil, "PAID") {
		x.Fatal("the deposit does not arrive")
	}
	x.wantOrder(opened)
}

// wantInstructions: the answer, and what the shopper reads, say where to pay, and there is no order.
func (x *providerShop) wantInstructions(answer object, bank, account string) {
	x.Helper()
	id := textAt(answer, "paymentSession", "id")
	shown := x.must("GET", "/commerce/payment-sessions/"+id, nil, x.token, "X-Client-Key: "+x.server.NewCredentials.TestClientKey)
	for name, a := range map[string]object{"the answer": answer, "the shopper's own": shown} {
		got := a["paymentSession"].(object)
		todo, _ := got["instructions"].(object)
		if got["status"] != "processing" || todo["bank"] != bank || todo["account"] != account || todo["amount"] != 15000.0 ||
			todo["currency"] != "KRW" || textAt(todo, "due") == "" || got["expiresAt"] == nil {
			x.Errorf("%s: %v", name, got)
		}
	}
	if answer["order"] != nil {
		x.Errorf("an order before the deposit: %v", answer["order"])
	}
}
