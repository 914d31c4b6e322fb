package stripefake

import (
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/requestcheck"
)

func param(name string, kind requestcheck.Kind, members ...requestcheck.Member) requestcheck.Member {
	return requestcheck.Member{Name: name, Kind: kind, Members: members}
}

func needed(m requestcheck.Member) requestcheck.Member {
	m.Required = true
	return m
}

// atMost is a text of so many characters.
func atMost(name string, most int64) requestcheck.Member {
	return requestcheck.Member{Name: name, Kind: requestcheck.Text, Max: most}
}

func oneOf(name string, words ...string) requestcheck.Member {
	return requestcheck.Member{Name: name, Kind: requestcheck.Text, OneOf: words}
}

// unchecked are parameters that are known and nothing else.
func unchecked(names string) (all []requestcheck.Member) {
	for name := range strings.FieldsSeq(names) {
		all = append(all, param(name, requestcheck.Any))
	}
	return all
}

// published are the parameters of requests as Stripe published them, by the end of their path. CHECKS.md says where.
var published = map[string][]requestcheck.Member{
	"/v1/checkout/sessions": append([]requestcheck.Member{
		oneOf("mode", "payment", "setup", "subscription"), atMost("client_reference_id", 200), param("success_url", requestcheck.Text),
		param("cancel_url", requestcheck.Text), param("customer_email", requestcheck.Text), param("expires_at", requestcheck.Integer),
		oneOf("ui_mode", "elements", "embedded_page", "hosted_page"), param("metadata", requestcheck.Map), param("payment_method_types", requestcheck.List),
		param("adaptive_pricing", requestcheck.Object, param("enabled", requestcheck.Boolean)), param("expand", requestcheck.List),
		param("line_items", requestcheck.List, append([]requestcheck.Member{
			param("quantity", requestcheck.Integer), atMost("price", 5000),
			param("price_data", requestcheck.Object, append([]requestcheck.Member{
				needed(param("currency", requestcheck.Text)), param("unit_amount", requestcheck.Integer),
				param("product_data", requestcheck.Object, append([]requestcheck.Member{
					needed(atMost("name", 5000)), atMost("description", 40000),
				}, unchecked("images metadata tax_code unit_label")...)...),
			}, unchecked("product recurring tax_behavior unit_amount_decimal")...)...),
		}, unchecked("adjustable_quantity metadata tax_rates")...)...),
	}, unchecked("after_expiration allow_promotion_codes automatic_tax billing_address_collection branding_settings consent_collection currency "+
		"custom_fields custom_text customer customer_account customer_creation customer_update discounts excluded_payment_method_types "+
		"integration_identifier invoice_creation locale managed_payments name_collection optional_items origin_context payment_intent_data "+
		"payment_method_collection payment_method_configuration payment_method_data payment_method_options permissions "+
		"phone_number_collection redirect_on_completion return_url saved_payment_method_options setup_intent_data "+
		"shipping_address_collection shipping_options submit_type subscription_data tax_id_collection wallet_options")...),
	"/expire": {param("expand", requestcheck.List)},
	"/capture": append([]requestcheck.Member{param("amount_to_capture", requestcheck.Integer), param("final_capture", requestcheck.Boolean)},
		unchecked("amount_details application_fee_amount expand hooks metadata payment_details statement_descriptor "+
			"statement_descriptor_suffix transfer_data")...),
	"/cancel": {
		oneOf("cancellation_reason", "abandoned", "duplicate", "fraudulent", "requested_by_customer"), param("expand", requestcheck.List),
	},
	"/v1/refunds": {
		param("amount", requestcheck.Integer), atMost("charge", 5000), param("currency", requestcheck.Text), atMost("customer", 5000),
		param("expand", requestcheck.List), param("instructions_email", requestcheck.Text), param("metadata", requestcheck.Map),
		oneOf("origin", "customer_balance"), atMost("payment_intent", 5000), oneOf("reason", "duplicate", "fraudulent", "requested_by_customer"),
		param("refund_application_fee", requestcheck.Boolean), param("reverse_transfer", requestcheck.Boolean),
	},
}

// What Stripe takes of metadata, and the life of a page.
const (
	maxMetadata, maxMetadataKey, maxMetadataValue = 50, 40, 500
	minPageLife, maxPageLife                      = 30 * time.Minute, 24 * time.Hour
)

// refuseForm refuses a POST whose form is not what Stripe published, with the code that Stripe gives, if any; the status
// is 0 when nothing is wrong with it.
func refuseForm(r *http.Request) (int, any) {
	path := r.URL.Path
	for _, below := range []string{"/expire", "/capture", "/cancel"} {
		if strings.HasSuffix(path, below) {
			path = below
		}
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	problem, wrong := errors.AsType[*requestcheck.Problem](requestcheck.Form(r.PostForm, published[path]))
	code := ""
	switch {
	case err != nil || kind != "application/x-www-form-urlencoded", !wrong && !metadataFits(r):
	case !wrong:
		return 0, nil
	case problem.Reason == requestcheck.Unknown:
		code = "parameter_unknown"
	case problem.Reason == requestcheck.Missing:
		code = "parameter_missing"
	case problem.Reason != requestcheck.Malformed && integers[problem.Member[strings.LastIndex(problem.Member, ".")+1:]]:
		code = "parameter_invalid_integer"
	}
	return http.StatusBadRequest, refuse("invalid_request_error", code)
}

// integers are the parameters that are whole numbers.
var integers = map[string]bool{"quantity": true, "unit_amount": true, "amount": true, "expires_at": true, "amount_to_capture": true}

// takesExpiry reports whether a page may expire then; "" is for Stripe to decide. Fact stripe-2.
func (f *Stripe) takesExpiry(at string) bool {
	seconds, err := strconv.ParseInt(at, 10, 64)
	life := time.Unix(seconds, 0).Sub(f.Now.Truncate(time.Second))
	return at == "" || err == nil && life >= minPageLife && life <= maxPageLife
}

func metadataFits(r *http.Request) bool {
	count := 0
	for name, values := range r.PostForm {
		key, is := strings.CutPrefix(name, "metadata[")
		if !is {
			continue
		}
		if count++; count > maxMetadata || len(key) > maxMetadataKey+len("]") || len(values[0]) > maxMetadataValue {
			return false
		}
	}
	return true
}
