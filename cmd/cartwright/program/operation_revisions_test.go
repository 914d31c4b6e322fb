package program

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Every operation on one record is refused when the record has another revision than its caller expects, before it does
// anything; and each of those that take a revision is called here. Rule collections-32.
func TestEveryOperationOnARecordComparesItsRevision(t *testing.T) {
	t.Parallel()
	p := newRevisionFixture(t)
	before, called := p.state(), 0
	for _, o := range p.server.operations() {
		if !o.Mutates || len(o.Params) == 0 || o.Params[0].Name != "id" || o.Deprecated || o.RawInput || o.Surfaces&operation.Server != 0 &&
			strings.HasPrefix(o.Path, "/carts/") {
			continue
		}
		called++
		if status, a := p.expect(o, "999"); status != 412 || parseRefusal(t, a).reason != collection.ErrChangedMeanwhile.Reason {
			t.Errorf("%s: %d %v", o.Name, status, a)
		}
	}
	if after := p.state(); after != before || called < 25 {
		t.Errorf("%d operations were called; the records before and after:\n%s\n%s", called, before, after)
	}
}

// Whoever read a record may send its ETag with an operation on it.
func TestOperationsCompareTheETagOfTheRecord(t *testing.T) {
	t.Parallel()
	p := newRevisionFixture(t)
	draft := "/draft-orders/" + p.draft()
	opened := p.tag(draft)
	p.must("PATCH", draft, object{"operatorNotes": "Ring twice."}, p.secret)
	finalize := func(tag string) (int, map[string]any) {
		return requestJSON(t, "POST", p.server.BaseURL+"/api"+draft+"/finalize", `{}`, p.secret, "If-Match: "+tag, "Idempotency-Key: "+p.key())
	}
	for tag, want := range map[string]int{opened: 412, "2": 400, opened + `, "2"`: 400} {
		if status, a := finalize(tag); status != want {
			t.Errorf("If-Match %s: %d %v", tag, status, a)
		}
	}
	if status, a := finalize(p.tag(draft)); status != 201 {
		t.Errorf("with the present tag: %d %v", status, a)
	}
	for _, slug := range []string{"carts", "checkouts", "payment-sessions"} {
		if own, read := p.tag("/"+slug+"/"+p.ids[slug]), p.tag("/server/commerce/"+slug+"/"+p.ids[slug]); own != read {
			t.Errorf("%s: the collection tells the tag %s, the operation %s", slug, own, read)
		}
	}
}

// revisionFixture is a shop with a record for every operation.
type revisionFixture struct {
	*refusalFixture

	secret   string
	platform string // header of a platform admin, who acts in the first shop
	other    string // id of another shop
}

func newRevisionFixture(t *testing.T) *revisionFixture {
	t.Helper()
	p := &revisionFixture{refusalFixture: newRefusalFixture(t)}
	p.secret = "X-API-Key: " + p.server.NewCredentials.TestSecretKey
	p.other = p.otherTenant()
	p.ids["orders"], p.ids["fulfillment-orders"] = p.paidOrder()
	sent, work := p.paidOrder()
	p.ids["fulfillments"] = p.parcel(work)
	p.ids["return-requests"] = p.returned(sent, p.ids["fulfillments"])
	_, work = p.paidOrder()
	p.ids["fulfillments"] = p.parcel(work)
	p.ids["draft-orders"] = p.draft()
	operator := p.headers["operator"]
	p.ids["api-keys"] = p.must("POST", "/api-keys", object{"name": "Till", "kind": "secret", "environment": "test"}, operator...)["doc"].(object)["id"].(string)
	p.ids["webhook-endpoints"] = p.must("POST", "/webhook-endpoints", object{"url": "https://shop.example/hook", "collections": []any{"orders"}},
		p.secret)["doc"].(object)["id"].(string)
	p.ids["webhook-deliveries"] = p.must("POST", "/webhook-endpoints/"+p.ids["webhook-endpoints"]+"/test", nil, p.secret)["delivery"].(object)["id"].(string)
	waitUntil(t, func() bool { // this record and the next change by themselves
		return p.must("GET", "/webhook-deliveries/"+p.ids["webhook-deliveries"], nil, p.secret)["endedAt"] != nil
	})
	waitUntil(t, func() bool {
		sent, _ := p.must("GET", "/mail-deliveries?limit=1&where[status][equals]=sent", nil, p.secret)["docs"].([]any)
		if len(sent) > 0 {
			p.ids["mail-deliveries"] = textAt(sent[0], "id")
		}
		return len(sent) > 0
	})
	p.ids["users"] = p.must("POST", "/users", object{
		"email": "member@shop.example", "password": "correct horse", "role": "tenant-viewer",
	}, operator...)["doc"].(object)["id"].(string)
	p.ids["message-services"] = p.must("POST", "/message-services", object{
		"name": "Bridge", "url": "https://messages.shop.example", "secret": "whsec_dGhlIHNlY3JldCBvZiBhIG1lc3NhZ2Ugc2VydmVyIQ==",
	}, p.secret)["doc"].(object)["id"].(string)
	p.ids["customers"] = p.must("POST", "/customers", object{"email": "buyer@shop.example"}, p.secret)["doc"].(object)["id"].(string)
	p.must("POST", "/users", object{"email": "invited@shop.example", "role": "tenant-viewer"}, operator...)
	p.ids["user-invitations"] = p.must("GET", "/user-invitations", nil, operator...)["docs"].([]any)[0].(object)["id"].(string)
	p.ids["exports"] = p.ended("exports", p.must("POST", "/exports", object{"kind": "discounts", "format": "csv"}, p.secret)["export"])
	p.ids["imports"] = p.ended("imports", p.imported("kind", "customers", "Email\nimported@shop.example\n"))
	return p
}

// ended waits for a job, which changes by itself until then, and returns its id.
func (p *revisionFixture) ended(slug string, job any) string {
	p.Helper()
	id := textAt(job, "id")
	waitUntil(p.T, func() bool { return p.must("GET", "/"+slug+"/"+id, nil, p.secret)["endedAt"] != nil })
	return id
}

// imported sends a file to be imported, with one more field of the form, and returns the import.
func (p *revisionFixture) imported(name, value, file string) any {
	p.Helper()
	form := "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\n" + file + "\r\n--b--\r\n"
	status, a := requestJSON(p.T, "POST", p.server.BaseURL+"/api/imports", form, p.secret, "Content-Type: multipart/form-data; boundary=b")
	if status != http.StatusCreated {
		p.Fatalf("%d %v", status, a)
	}
	return a["import"]
}

// state is what all records are, the other shop's too.
func (p *revisionFixture) state() string {
	p.Helper()
	_, other := requestJSON(p.T, "GET", p.server.BaseURL+"/api/tenants/"+p.other, "", p.platform, "X-Tenant-Id: "+p.other)
	return fmt.Sprint(other["status"], other["revision"], "\n", p.refusalFixture.state())
}

// otherTenant creates another shop, and a platform admin.
func (p *revisionFixture) otherTenant() string {
	p.Helper()
	other, err := p.server.onboarding.Prepare(onboarding.TenantInput{Name: "Another Shop", Plan: tenant.Free})
	if err == nil {
		err = p.server.onboarding.Create(p.Context(), other)
	}
	if err != nil {
		p.Fatal(err)
	}
	root, err := p.server.onboarding.AddMember(p.Context(), tenant.ID(p.server.NewCredentials.TenantID),
		onboarding.MemberInput{Email: "root@platform.example", Role: tenant.PlatformAdmin})
	if err != nil {
		p.Fatal(err)
	}
	login := p.must("POST", "/users/login", object{"email": "root@platform.example", "password": root.Password})
	p.platform = "Authorization: Bearer " + login["token"].(string)
	return string(other.Tenant.ID)
}

// tag is the ETag of a record as the shop's server reads it.
func (p *revisionFixture) tag(path string) string {
	p.Helper()
	return sendRequest(p.T, "GET", p.server.BaseURL+"/api"+path, "", p.secret).tag
}

func (p *revisionFixture) draft() string {
	p.Helper()
	return p.must("POST", "/draft-orders", object{
		"lines": []any{object{"variant": p.ids["product-variants"], "quantity": 1}}, "customerSnapshot": object{"name": "Kim", "email": "kim@shop.example"},
		"shippingAddress": object{"recipientName": "Kim", "phone": "010", "postalCode": "04524", "address1": "Road 1", "country": "KR"},
	}, p.secret)["doc"].(object)["id"].(string)
}

func (p *revisionFixture) paidOrder() (order, work string) {
	p.Helper()
	draft := p.draft()
	p.must("POST", "/draft-orders/"+draft+"/calculate", nil, p.secret)
	order = p.must("POST", "/draft-orders/"+draft+"/finalize", nil, p.secret)["order"].(object)["id"].(string)
	p.must("POST", "/orders/"+order+"/transitions", object{"to": "paid"}, p.secret)
	found := p.must("GET", "/fulfillment-orders?where[order][equals]="+order, nil, p.secret)
	return order, found["docs"].([]any)[0].(object)["id"].(string)
}

func (p *revisionFixture) parcel(work string) string {
	p.Helper()
	return p.must("POST", "/fulfillment-orders/"+work+"/fulfillments", object{"carrier": "cj"}, p.secret)["fulfillment"].(object)["id"].(string)
}

func (p *revisionFixture) returned(order, parcel string) string {
	p.Helper()
	p.must("POST", "/fulfillments/"+parcel+"/ship", object{"trackingNumber": "123456789012"}, p.secret)
	p.must("POST", "/fulfillments/"+parcel+"/deliver", nil, p.secret)
	line := p.must("GET", "/orders/"+order+"/returnable", nil, p.secret)["lines"].([]any)[0].(object)["orderLine"]
	return p.must("POST", "/return-requests", object{"order": order, "lines": []any{object{"orderLine": line, "quantity": 1}}},
		p.secret)["returnRequest"].(object)["id"].(string)
}

// expect calls o on its record, expecting a revision.
func (p *revisionFixture) expect(o operation.Operation, revision string) (int, map[string]any) {
	p.Helper()
	at := operation.Root
	if o.Surfaces&operation.Server != 0 {
		at = operation.Server
	}
	slug := o.Segments()[0]
	id := p.ids[slug]
	if slug == "tenants" {
		id = p.other
	}
	if id == "" {
		p.Fatalf("there is no record of %s for %s: add one", slug, o.Name)
	}
	address := p.server.BaseURL + strings.Replace(o.Route(at), ":id", id, 1)
	caller := []string{p.secret}
	if at == operation.Root && !o.Admits(at, tenant.SecretKey) {
		caller = p.headers["operator"]
	}
	if slug == "tenants" {
		caller = []string{p.platform}
	}
	input := p.input(o.Input)
	switch o.Name {
	case "webhookEndpoints.replay":
		input["from"], input["to"] = "1", "2"
	case "paymentSessions.confirm": // of another payment, it is refused for that
		session := p.must("GET", "/payment-sessions/"+id, nil, p.secret)
		input["orderId"], input["amount"] = session["paymentId"], session["amount"]
	}
	body := ""
	if input[collection.ExpectedRevision] = json.Number(revision); o.HasBody() {
		text, err := json.Marshal(input)
		if err != nil {
			p.Fatal(err)
		}
		body = string(text)
	} else {
		address += "?" + url.Values{collection.ExpectedRevision: {revision}}.Encode()
	}
	return requestJSON(p.T, o.Method, address, body, append(slices.Clip(caller), "Idempotency-Key: "+p.key())...)
}
