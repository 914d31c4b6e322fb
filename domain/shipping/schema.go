package shipping

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
)

var (
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read = []collection.Verb{collection.Read}
)

// Schema is the collection of shipping policies. Rule shipping-9.
var Schema = &collection.Schema{
	Slug: "shipping-policies", Singular: "ShippingPolicy", Plural: "ShippingPolicies",
	Doc:    "What delivery costs.",
	Access: collection.Access{Viewer: read, Editor: all, Admin: all, SecretKey: all, Public: true},
	Fields: collection.WithTranslations([]collection.Field{
		{Name: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 255, Translatable: true, Doc: "Name."},
		{
			Name: "baseFee", Kind: collection.Money, Currency: "currency", Required: true, Min: collection.Bound(0),
			Doc: "Fee for every order that ships.",
		},
		{
			Name: "currency", Kind: collection.Text, Uppercase: true, Immutable: true, MaxLength: 3,
			Doc: "Currency of every amount here; the tenant's when missing.",
		},
		{
			Name: "freeShippingThreshold", Kind: collection.Money, Currency: "currency", Min: collection.Bound(0),
			Doc: "The base fee is waived from this amount of shipping lines, after discounts.",
		},
		{
			Name: "countries", Kind: collection.Texts, Uppercase: true, MaxLength: 2,
			Doc: "ISO 3166-1 alpha-2 codes of where it ships to; empty: the shop's country, and those of the market that is sold in.",
		},
		{Name: "zones", Kind: collection.Array, Doc: "Where it costs extra; the first zone that holds an address counts.", Fields: []collection.Field{
			{Name: "name", Kind: collection.Text, Required: true, MaxLength: 100, Doc: "Name."},
			{
				Name: "countries", Kind: collection.Texts, Uppercase: true, MaxLength: 2,
				Doc: "ISO 3166-1 alpha-2 codes; empty: the shop's country. Without ranges and provinces all of these countries are in the zone.",
			},
			{
				Name: "provinces", Kind: collection.Texts, MaxLength: 100,
				Doc: "Provinces that are in the zone, as addresses have them: ISO 3166-2 codes without the country, such as AK and HI.",
			},
			{Name: "ranges", Kind: collection.Array, Doc: "Inclusive ranges of postal codes.", Fields: []collection.Field{
				{
					Name: "from", Kind: collection.Text, Required: true, Uppercase: true, MaxLength: 10,
					Doc: "First code; five digits in Korea, elsewhere also the beginning of codes.",
				},
				{Name: "to", Kind: collection.Text, Required: true, Uppercase: true, MaxLength: 10, Doc: "Last code, or its beginning."},
			}},
			{Name: "extraFee", Kind: collection.Money, Currency: "currency", Required: true, Min: collection.Bound(0), Doc: "Surcharge."},
			{Name: "waivedWhenFree", Kind: collection.Boolean, Default: false, Doc: "The surcharge falls away with the base fee."},
		}},
		{
			Name: "returnShippingFee", Kind: collection.Money, Currency: "currency", Min: collection.Bound(0),
			Doc: "What a return costs the customer.",
		},
		{
			Name: "initialShippingRefund", Kind: collection.Select, Default: string(RefundFullReturn),
			Options: []string{string(RefundAlways), string(RefundFullReturn), string(RefundProportional), string(RefundNever)},
			Doc:     "How much of the outbound shipping fee a return refunds.",
		},
		{Name: "isDefault", Kind: collection.Boolean, Default: false, Indexed: true, Doc: "Used by products without their own policy."},
	}...),
}

// FromRecord reads a policy record.
func FromRecord(r collection.Record) *Policy {
	p := &Policy{
		ID: r.ID(), Title: r.Text("title"), Countries: r.Texts("countries"), InitialShippingRefund: RefundRule(r.Text("initialShippingRefund")),
	}
	p.BaseFee, _ = r.Money("baseFee")
	p.Currency = p.BaseFee.Currency
	p.ReturnFee, _ = r.Money("returnShippingFee")
	if m, ok := r.Money("freeShippingThreshold"); ok {
		p.FreeThreshold = &m
	}
	for _, row := range r.Rows("zones") {
		z := Zone{
			Name: row.Text("name"), Countries: row.Texts("countries"), Provinces: row.Texts("provinces"), WaivedWhenFree: row.Bool("waivedWhenFree"),
		}
		z.ExtraFee, _ = row.Money("extraFee")
		for _, c := range row.Rows("ranges") {
			z.Ranges = append(z.Ranges, Range{c.Text("from"), c.Text("to")})
		}
		p.Zones = append(p.Zones, z)
	}
	return p
}
