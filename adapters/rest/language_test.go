package rest_test

import (
	"slices"
	"strings"
	"testing"
)

const inKorean = "ko-KR,ko;q=0.9,en;q=0.8"

// messageOf is the message of a refusal, and those of its fields.
func messageOf(a answer) (whole string, fields []string) {
	one := a.body["errors"].([]any)[0].(map[string]any)
	list, _ := one["data"].([]any)
	if list == nil {
		list, _ = one["extensions"].(map[string]any)["fields"].([]any)
	}
	for _, f := range list {
		fields = append(fields, f.(map[string]any)["message"].(string))
	}
	return one["message"].(string), fields
}

// Rule api-27: a refusal is told in the language that the caller prefers, and is the same refusal in each.
func TestRefusalsAreToldInTheLanguageOfTheCaller(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	asked := func(language, method, path, body string) answer {
		t.Helper()
		headers := []string{"X-API-Key", b.shop.SecretKey}
		if language != "" {
			headers = append(headers, "Accept-Language", language)
		}
		a := b.request(method, path, body, headers...)
		want := "en"
		if language == inKorean {
			want = "ko"
		}
		if !strings.Contains(strings.Join(a.header.Values("Vary"), ", "), "Accept-Language") || a.header.Get("Content-Language") != want {
			t.Errorf("%s %s in %q: Vary %q, Content-Language %q", method, path, language, a.header.Values("Vary"), a.header.Get("Content-Language"))
		}
		return a
	}
	for name, c := range map[string]struct {
		method, path, body, whole string
		fields                    []string
	}{
		"no such record": {"GET", "/api/gadgets/none", "", "찾을 수 없습니다. 삭제되었거나 볼 권한이 없는 항목입니다.", nil},
		"wrong fields": {
			"POST", "/api/gadgets", `{"weight":"heavy"}`, "입력한 내용에 잘못된 곳이 있습니다. 표시된 항목을 확인하세요.",
			[]string{"필수 항목입니다.", "숫자를 입력하세요."},
		},
		"the body as a whole": {
			"POST", "/api/gadgets", `{`, "요청을 읽을 수 없습니다. 화면을 새로고침하고 다시 시도하세요. The body is not valid JSON near byte 1.", nil,
		},
		"GraphQL":               {"POST", "/api/graphql", document(`mutation { createGadget(data: {}) { id } }`), "", nil},
		"GraphQL, not executed": {"POST", "/api/graphql", document(`{ Gadgets }`), "", nil},
	} {
		told, plain, other := asked(inKorean, c.method, c.path, c.body), asked("", c.method, c.path, c.body), asked("fr", c.method, c.path, c.body)
		whole, fields := messageOf(told)
		if c.whole != "" && whole != c.whole || c.fields != nil && !slices.Equal(fields, c.fields) {
			t.Errorf("%s: %q, %q", name, whole, fields)
		}
		if told.status != plain.status || told.reason() != plain.reason() || told.reason() == "" {
			t.Errorf("%s: in Korean it is %d %s, in English %d %s", name, told.status, told.reason(), plain.status, plain.reason())
		}
		english, _ := messageOf(plain)
		if french, _ := messageOf(other); french != english || english == whole {
			t.Errorf("%s: in English %q, in French %q", name, english, french)
		}
	}
	if a := asked(inKorean, "GET", "/api/gadgets/none", ""); !strings.Contains(a.header.Get("Cache-Control"), "no-store") {
		t.Errorf("a refusal may be stored: %v", a.header)
	}
}

// Rule api-27: a success with words says in which language, unless it is replayed: it keeps those of the first answer.
func TestSuccessesSayTheirLanguage(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	check := func(name, want string, a answer) {
		t.Helper()
		varies := strings.Contains(strings.Join(a.header.Values("Vary"), ", "), "Accept-Language")
		if a.status/100 != 2 || a.header.Get("Content-Language") != want || varies != (want != "") {
			t.Errorf("%s: %d, Content-Language %q, Vary %q: %s", name, a.status, a.header.Get("Content-Language"), a.header.Values("Vary"), a.raw)
		}
	}
	korean := []string{"Accept-Language", inKorean}
	ask := func(method, path, body string, more ...string) answer {
		t.Helper()
		return b.request(method, path, body, append(append([]string{"X-API-Key", b.shop.SecretKey}, korean...), more...)...)
	}
	const bulk = `{"patches":[{"id":"none","data":{"name":"B"}}]}`
	key := []string{"Idempotency-Key", "ik_successes_told_0123"}
	check("records.bulk", "ko", ask("POST", "/api/gadgets/bulk", bulk, key...))
	check("records.bulk, replayed", "", ask("POST", "/api/gadgets/bulk", bulk, key...))
	check("products.adjustPrices", "ko", ask("POST", "/api/products/prices/adjust", `{"products":["none"],"basisPoints":1}`))
	brought := b.imported("stock", rowsOf("sku,onHand", "X-9,1"))
	check("imports.rows", "ko", ask("GET", "/api/imports/"+brought.id+"/rows", ""))
	check("imports.report", "ko", ask("GET", "/api/imports/"+brought.id+"/report", ""))
	file := entry{"file", "tracking.csv", "fulfillmentOrder,carrier,trackingNumber\nnone,hanjin,123456789012\n"}
	check("fulfillments.importCarrierFile", "ko", b.sendForm("POST", carrierFile, []entry{file}, korean...))
	mutation := document(`mutation { bulkUpdate(collection: "gadgets", idempotencyKey: "ik_successes_told_4567", input: {patches: [{id: "none", data: {}}]}) { refused } }`)
	check("GraphQL", "ko", ask("POST", "/api/graphql", mutation))
	check("GraphQL, replayed", "", ask("POST", "/api/graphql", mutation))
	check("GraphQL without words", "", ask("POST", "/api/graphql", document(`{ __typename }`)))
}

// A refusal that is replayed is the first one, told to whoever asks now. A successful answer is replayed as it was.
func TestReplayedRefusalsAreToldAnew(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	b.make("gadgets", `{"name":"First","code":"TAKEN"}`)
	send := func(path, body, language string) answer {
		t.Helper()
		key := "ik_language_" + path[len("/api/"):] + "_0123"
		return b.request("POST", path, body, "X-API-Key", b.shop.SecretKey, "Idempotency-Key", key, "Accept-Language", language)
	}
	first, again := send("/api/gadgets", `{"name":"A","code":"TAKEN"}`, "en"), send("/api/gadgets", `{"name":"A","code":"TAKEN"}`, "ko")
	english, _ := messageOf(first)
	told, _ := messageOf(again)
	if again.header.Get("Idempotency-Replayed") != "true" || told == english || first.reason() != again.reason() ||
		again.header.Get("Content-Language") != "ko" {
		t.Errorf("%s\nand replayed %s", first.raw, again.raw)
	}
	const bulk = `{"patches":[{"id":"none","data":{"name":"B"}}]}`
	was, is := send("/api/gadgets/bulk", bulk, "ko"), send("/api/gadgets/bulk", bulk, "en")
	if was.raw != is.raw || !strings.Contains(was.raw, "찾을 수 없습니다") {
		t.Errorf("%s\nand replayed %s", was.raw, is.raw)
	}
}
