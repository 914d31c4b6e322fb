package steps

import (
	"context"
	"fmt"
	"strings"
)

// shopProfileSteps writes and reads what a shop tells about itself.
type shopProfileSteps struct {
	*client

	members *memberSteps
	drafts  *draftSteps

	numbers []string // of the orders made here
}

func newShopProfileSteps(c *client, members *memberSteps, drafts *draftSteps) *shopProfileSteps {
	return &shopProfileSteps{client: c, members: members, drafts: drafts}
}

func (s *shopProfileSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop's business is "([^"]*)" in "([^"]*)", registered as "([^"]*)"$`, s.setBusiness},
		{`^the admin registers the business in "([^"]*)" as "([^"]*)"$`, func(ctx context.Context, country, number string) error {
			return s.write(ctx, object{"registrationNumber": number, "address": object{"country": country}})
		}},
		{`^the shop's server renames the business$`, func(ctx context.Context) error {
			return s.update(ctx, object{"businessName": "Another"}, s.asServer())
		}},
		{`^a visitor looks at who is behind the shop$`, func(ctx context.Context) error {
			return s.try(ctx, request{"GET", publicAPI + "/shop", nil, s.asVisitor()})
		}},
		{`^a visitor lists the profiles of shops$`, func(ctx context.Context) error {
			return s.try(ctx, request{"GET", "/api/shop-profiles", nil, s.asVisitor()})
		}},
		{`^the business is "([^"]*)", registered as "([^"]*)"$`, func(name, number string) error {
			if err := equal("the business", text(s.got.body, "businessName"), name); err != nil {
				return err
			}
			return equal("its registration", text(s.got.body, "registrationNumber"), number)
		}},
		{`^nothing tells where the shop wants returned goods$`, s.wantNoReturnAddress},
		{`^the shop counts its orders behind "([^"]*)"$`, func(ctx context.Context, prefix string) error {
			if err := s.set(ctx, "orderNumberFormat", prefix+"{SEQ}"); err != nil {
				return err
			}
			return s.wantSuccess()
		}},
		{`^the shop's server wants orders numbered by the day alone$`, func(ctx context.Context) error {
			return s.set(ctx, "orderNumberFormat", "{YYYYMMDD}")
		}},
		{`^the shop's server sets the time zone to "([^"]*)"$`, func(ctx context.Context, zone string) error {
			return s.set(ctx, "timeZone", zone)
		}},
		{`^a draft order of (\d+) "([^"]*)" is finalized twice over$`, s.finalizeTwo},
		{`^the orders have the numbers "([^"]*)" and "([^"]*)"$`, func(first, second string) error {
			return equal("the order numbers", strings.Join(s.numbers, " "), first+" "+second)
		}},
	}
}

func (s *shopProfileSteps) asVisitor() map[string]string {
	return map[string]string{"X-Client-Key": s.shop.TestClientKey}
}

func (s *shopProfileSteps) set(ctx context.Context, name, value string) error {
	return s.try(ctx, request{"PATCH", "/api/tenants/" + s.shop.TenantID, object{"settings": object{name: value}}, s.asServer()})
}

func (s *shopProfileSteps) setBusiness(ctx context.Context, name, country, number string) error {
	err := s.write(ctx, object{
		"businessName": name, "registrationNumber": number, "address": object{"country": country},
		"returnAddress": object{"address1": "12 Warehouse Road"},
	})
	if err != nil {
		return err
	}
	return s.wantSuccess()
}

// write updates the profile as the admin.
func (s *shopProfileSteps) write(ctx context.Context, body object) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	return s.update(ctx, body, admin)
}

func (s *shopProfileSteps) update(ctx context.Context, body object, as map[string]string) error {
	list, err := s.must(ctx, request{"GET", "/api/shop-profiles", nil, s.asServer()})
	if err != nil {
		return err
	}
	return s.try(ctx, request{"PATCH", "/api/shop-profiles/" + text(list.body, "docs", 0, "id"), body, as})
}

func (s *shopProfileSteps) wantNoReturnAddress() error {
	if strings.Contains(string(s.got.raw), "Warehouse") {
		return fmt.Errorf("the shop %s", s.got)
	}
	return nil
}

func (s *shopProfileSteps) finalizeTwo(ctx context.Context, n, name string) error {
	for range 2 {
		if err := s.drafts.createOf(ctx, n, name, ""); err != nil {
			return err
		}
		made, err := s.must(ctx, s.drafts.post("/finalize"))
		if err != nil {
			return err
		}
		s.numbers = append(s.numbers, text(made.body, "order", "orderNumber"))
	}
	return nil
}
