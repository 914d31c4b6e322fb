package mailtexts

import (
	"net/url"

	"golang.org/x/net/idna"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
)

// StorefrontPage is a page of a shop's storefront, whose path stands behind the # of settings.storefrontUrl in the tenant's record own.
// "" where there is no storefront, or none that a mail may lead to.
func StorefrontPage(own collection.Record, path string) string {
	storefront := own.Group("settings").Text("storefrontUrl")
	link := inASCII(storefront) + "#" + path
	if storefront == "" || !mail.IsSafeURL(link) {
		return ""
	}
	return link
}

// OrderPage is the page of an order: that of the checkout it was placed from. "" for other orders.
func OrderPage(own, order collection.Record) string {
	checkout := order.Text("checkout")
	if checkout == "" {
		return ""
	}
	return StorefrontPage(own, "/orders/"+url.PathEscape(checkout))
}

// inASCII is the address of a page with a host such as 머그.example as mails and browsers write it: xn--….
func inASCII(page string) string {
	at, err := url.Parse(page)
	if err != nil || at.Hostname() == "" {
		return page
	}
	host, err := idna.Lookup.ToASCII(at.Hostname())
	if err != nil || host == at.Hostname() {
		return page
	}
	if port := at.Port(); port != "" {
		host += ":" + port
	}
	at.Host = host
	return at.String()
}
