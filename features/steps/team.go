package steps

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// teamSteps are members of the shop who work on its current order.
type teamSteps struct {
	*client

	members *memberSteps
	orders  *orderSteps

	comment, view string // ids of the last ones
}

func newTeamSteps(c *client, members *memberSteps, orders *orderSteps) *teamSteps {
	return &teamSteps{client: c, members: members, orders: orders}
}

func (s *teamSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^"([^"]*)" puts "([^"]*)" on the order and labels it "([^"]*)"$`, func(ctx context.Context, who, whom, label string) error {
			return s.as(ctx, who, "PATCH", "/orders/"+s.orders.id, object{"assignee": s.idOf(whom), "tags": []any{label}})
		}},
		{`^"([^"]*)" comments "([^"]*)" on the order, for "([^"]*)"$`, func(ctx context.Context, who, words, whom string) error {
			if err := s.say(ctx, who, words, s.idOf(whom)); err != nil {
				return err
			}
			return s.wantSuccess()
		}},
		{`^"([^"]*)" comments "([^"]*)" on the order, for somebody of another shop$`, s.sayToStranger},
		{`^"([^"]*)" changes the comment to "([^"]*)"$`, func(ctx context.Context, who, words string) error {
			return s.as(ctx, who, "PATCH", "/comments/"+s.comment, object{"text": words})
		}},
		{`^the orders of "([^"]*)" are this one$`, func(ctx context.Context, whom string) error {
			return s.wantFound(ctx, "where[assignee][equals]="+s.idOf(whom))
		}},
		{`^the orders labeled "([^"]*)" are this one$`, func(ctx context.Context, label string) error {
			return s.wantFound(ctx, "where[tags][in]="+url.QueryEscape(label))
		}},
		{`^the order's timeline says "([^"]*)" by "([^"]*)"$`, s.wantTold},
		{`^"([^"]*)" saves a view "([^"]*)" of orders by "([^"]*)"$`, s.saveView},
		{`^"([^"]*)" shares the view$`, func(ctx context.Context, who string) error {
			return s.as(ctx, who, "PATCH", "/saved-views/"+s.view, object{"shared": true})
		}},
		{`^"([^"]*)" renames the view to "([^"]*)"$`, func(ctx context.Context, who, name string) error {
			return s.as(ctx, who, "PATCH", "/saved-views/"+s.view, object{"name": name})
		}},
		{`^"([^"]*)" has the views "([^"]*)"$`, s.wantViews},
		{`^"([^"]*)" is told "([^"]*)" of the order$`, s.wantNotifications},
		{`^"([^"]*)" asks to be told of "([^"]*)"$`, func(ctx context.Context, who, kind string) error {
			return s.as(ctx, who, "PATCH", "/users/me/preferences", object{"tell": object{kind: true}})
		}},
		{`^"([^"]*)" is soon told of (\d+) "([^"]*)"$`, func(ctx context.Context, who, n, kind string) error {
			return s.wantSoonTold(ctx, s.members.logInToTest, who, n, kind)
		}},
		{`^"([^"]*)" is soon told of (\d+) "([^"]*)" in live$`, func(ctx context.Context, who, n, kind string) error {
			return s.wantSoonTold(ctx, s.members.logIn, who, n, kind)
		}},
		{`^the comments for "([^"]*)" are "([^"]*)"$`, s.wantCommentsFor},
	}
}

func (s *teamSteps) idOf(name string) string { return s.members.ids[name] }

// as makes a call of a member in the environment of the order.
func (s *teamSteps) as(ctx context.Context, who, method, path string, body any) error {
	headers, err := s.members.logInToTest(ctx, who)
	if err != nil {
		return err
	}
	return s.try(ctx, request{method, "/api" + path, body, headers})
}

func (s *teamSteps) say(ctx context.Context, who, words, whom string) error {
	err := s.as(ctx, who, "POST", "/comments", object{
		"collection": "orders", "record": s.orders.id, "text": words, "mentions": []any{whom},
	})
	s.comment = text(s.got.body, "doc", "id")
	return err
}

func (s *teamSteps) sayToStranger(ctx context.Context, who, words string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	admin, err := s.members.adminOf(ctx, other)
	if err != nil {
		return err
	}
	me, err := s.must(ctx, request{"GET", "/api/users/me", nil, admin})
	if err != nil {
		return err
	}
	return s.say(ctx, who, words, text(me.body, "user", "id"))
}

func (s *teamSteps) wantFound(ctx context.Context, query string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	got, err := s.must(ctx, request{"GET", "/api/orders?" + query, nil, s.asServer()})
	if err != nil {
		return err
	}
	if n := text(got.body, "totalDocs"); n != "1" {
		return fmt.Errorf("there are %s", n)
	}
	return equal("the order", valueAt(got.body, "docs", 0, "id"), s.orders.id)
}

// wantTold reads the timeline for a sentence or a comment, and whose it is. A member has no name but the address.
func (s *teamSteps) wantTold(ctx context.Context, words, who string) error {
	got, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id + "/timeline?limit=100", nil, s.asServer()})
	if err != nil {
		return err
	}
	entries, _ := valueAt(got.body, "docs").([]any)
	for _, e := range entries {
		if text(e, "summary") == words || text(e, "comment", "text") == words {
			return equal("who said it", valueAt(e, "actor", "id"), s.idOf(who))
		}
	}
	return fmt.Errorf("the timeline does not say so: %s", got)
}

func (s *teamSteps) wantCommentsFor(ctx context.Context, whom, want string) error {
	return s.wantList(ctx, "/api/comments?where[mentions][in]="+s.idOf(whom), "text", want, s.asServer())
}

func (s *teamSteps) wantNotifications(ctx context.Context, whom, want string) error {
	path := "/api/notifications?sort=id&where[record][equals]=" + s.orders.id + "&where[recipient][equals]=" + s.idOf(whom)
	return s.wantList(ctx, path, "kind", want, s.asServer())
}

// wantList compares a field of the records of a list, in their order.
func (s *teamSteps) wantList(ctx context.Context, path, field, want string, headers map[string]string) error {
	got, err := s.must(ctx, request{"GET", path, nil, headers})
	if err != nil {
		return err
	}
	var values []string
	docs, _ := valueAt(got.body, "docs").([]any)
	for _, d := range docs {
		values = append(values, text(d, field))
	}
	return equal("what is listed", strings.Join(values, ", "), want)
}

func (s *teamSteps) saveView(ctx context.Context, who, name, field string) error {
	err := s.as(ctx, who, "POST", "/saved-views", object{
		"name": name, "collection": "orders", "where": object{field: object{"equals": "paid"}},
	})
	s.view = text(s.got.body, "doc", "id")
	return err
}

func (s *teamSteps) wantViews(ctx context.Context, who, want string) error {
	headers, err := s.members.logInToTest(ctx, who)
	if err != nil {
		return err
	}
	return s.wantList(ctx, "/api/saved-views?sort=name", "name", want, headers)
}

// wantSoonTold counts what a member is told of one kind, where they log in to. What concerns both environments, as customers do, is
// told in live. The server tells after a second or so.
func (s *teamSteps) wantSoonTold(
	ctx context.Context, logIn func(context.Context, string) (map[string]string, error), who, n, kind string,
) error {
	return eventually(ctx, func(ctx context.Context) error {
		headers, err := logIn(ctx, who)
		if err != nil {
			return err
		}
		query := "/api/notifications/count?where[recipient][equals]=" + s.idOf(who) + "&where[kind][equals]=" + kind
		got, err := s.must(ctx, request{"GET", query, nil, headers})
		if err != nil {
			return err
		}
		return equal("how many there are", got.body["totalDocs"], n)
	})
}
