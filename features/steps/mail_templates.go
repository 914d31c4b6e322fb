package steps

import (
	"context"
	"fmt"
	"strings"
)

// mailTemplateSteps writes what mails say, and looks at it.
type mailTemplateSteps struct {
	*client

	members *memberSteps
}

func newMailTemplateSteps(c *client, members *memberSteps) *mailTemplateSteps {
	return &mailTemplateSteps{client: c, members: members}
}

func (s *mailTemplateSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the admin writes the mail "([^"]*)" in "([^"]*)" with the subject "([^"]*)"$`, s.write},
		{
			`^the admin writes the mail "([^"]*)" in "([^"]*)" with the subject "([^"]*)" and the variable "([^"]*)"$`,
			func(ctx context.Context, kind, locale, subject, variable string) error {
				return s.write(ctx, kind, locale, subject+" {{"+variable+"}}")
			},
		},
		{`^the mail "([^"]*)" in "([^"]*)" begins with "([^"]*)"$`, s.wantSubject},
		{`^the admin writes the message "([^"]*)" in "([^"]*)" with the text "([^"]*)"$`, s.writeMessage},
		{`^the message "([^"]*)" in "([^"]*)" says "([^"]*)"$`, s.wantMessage},
		{`^the mail's text is refused because "([^"]*)"$`, func(why string) error {
			if !strings.Contains(string(s.got.raw), why) {
				return fmt.Errorf("%q is no reason of %s", why, s.got)
			}
			return nil
		}},
	}
}

func (s *mailTemplateSteps) write(ctx context.Context, kind, locale, subject string) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/mail-templates", object{"kind": kind, "locale": locale, "subject": subject, "body": "{{lines}}"}, admin})
}

// writeMessage writes a message with variables in brackets, of which 이름 is the buyer's name.
func (s *mailTemplateSteps) writeMessage(ctx context.Context, kind, locale, said string) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/message-templates", object{
		"kind": kind, "locale": locale, "templateCode": "APPROVED_1", "text": strings.NewReplacer("[", "#{", "]", "}").Replace(said),
		"variables": []any{object{"name": "이름", "tells": "name", "default": "고객"}},
	}, admin})
}

func (s *mailTemplateSteps) wantMessage(ctx context.Context, kind, locale, said string) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	seen, err := s.must(ctx, request{"POST", "/api/message-templates/preview", object{"kind": kind, "locale": locale}, admin})
	if err != nil {
		return err
	}
	return equal("the message", text(seen.body, "text"), said)
}

func (s *mailTemplateSteps) wantSubject(ctx context.Context, kind, locale, beginning string) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	seen, err := s.must(ctx, request{"POST", "/api/mail-templates/preview", object{"kind": kind, "locale": locale}, admin})
	if err != nil {
		return err
	}
	if subject := text(seen.body, "subject"); !strings.HasPrefix(subject, beginning) {
		return fmt.Errorf("the subject is %q", subject)
	}
	return nil
}
