package team

import (
	"regexp"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of comments. Rules team-2, team-3.
const (
	MaxComment  = 5000 // characters
	MaxMentions = 50   // users that one comment mentions
	MaxComments = 500  // of one record; a few more when they are written at once
)

// The refusals of comments.
var (
	ErrNotCommented = fault.NewInvalid("record", "comment_record_unknown", "There is no such record to comment on.")
	ErrMention      = fault.NewInvalid("mentions", "mention_unknown", "Only users of this shop can be mentioned.")
	ErrNotAuthor    = fault.New(fault.Forbidden, "comment_of_another", "Only who wrote a comment changes it. Admins may delete it.")
	ErrManyComments = fault.New(fault.Unprocessable, "comments_too_many", "This record has as many comments as a record may have.")
)

// Commented are the slugs of the collections whose records are commented on: what a team talks about. Rule team-2.
var Commented = []string{"orders", "draft-orders", "return-requests", "customers", "products"}

var (
	read = []collection.Verb{collection.Read}
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
)

// Comments declares what the team says about records. It is read with the record's timeline, too. Rules team-2 to team-5.
var Comments = &collection.Schema{
	Slug: "comments", Singular: "Comment", Plural: "Comments",
	Doc: "What somebody of the team says about a record, for the team alone.",
	Fields: []collection.Field{
		{
			Name: "collection", Kind: collection.Select, Options: Commented, Required: true, Immutable: true, Indexed: true,
			Doc: "Slug of the collection of the record that it is about.",
		},
		{
			Name: "record", Kind: collection.Text, Required: true, Immutable: true, Indexed: true, MaxLength: maxID,
			Doc: "Id of the record that it is about. With the record go its comments.",
		},
		{
			Name: "text", Kind: collection.Textarea, Personal: true, Required: true, MaxLength: MaxComment,
			Doc: "What it says; @ and the id of a user mentions them.",
		},
		{
			Name: "mentions", Kind: collection.RelationMany, RelationTo: "users", Indexed: true, MaxItems: MaxMentions,
			Doc: "The users of the shop whom it mentions: those that were named here, and those in the text.",
		},
		{Name: "author", Kind: collection.Group, ReadOnly: true, Fields: authorFields, Doc: "Who wrote it."},
		{Name: "editedAt", Kind: collection.Date, ReadOnly: true, Doc: "When its author last changed it; null if never."},
	},
	ListIndexes:    [][]string{{"collection", "record"}},
	PerEnvironment: true,
	Access:         collection.Access{Viewer: read, Editor: all, Admin: all, SecretKey: all, AboutField: "collection"},
}

// maxID is how many characters an id has at most.
const maxID = 64

// Internal reports whether a collection is talk inside the team, which goes to those webhook endpoints alone that name it.
// Rule team-4.
func Internal(slug string) bool { return slug == Comments.Slug || slug == Notifications.Slug }

// WriteComment completes a comment that by writes, or changes from before (nil: a new one) to next, at now. It changes
// neither record. Errors: ErrNotAuthor, fault.ErrValidation for too many mentions.
func WriteComment(before, next collection.Record, by tenant.Actor, now time.Time) (collection.Record, error) {
	next = next.Clone()
	if before == nil {
		next["author"] = AuthorRecord(by)
	} else if !IsAuthor(before, by) {
		return nil, ErrNotAuthor
	}
	mentions := mentioned(before, next)
	if len(mentions) > MaxMentions {
		return nil, fault.Invalidf("mentions", "A comment mentions at most %d users.", MaxMentions)
	}
	next["mentions"] = mentions
	if before != nil && (before.Text("text") != next.Text("text") || !slices.Equal(before.Texts("mentions"), mentions)) {
		next["editedAt"] = now
	}
	return next, nil
}

// CheckDelete refuses to delete a comment of somebody else, but for admins. Errors: ErrNotAuthor.
func CheckDelete(comment collection.Record, by tenant.Principal) error {
	if by.Kind == tenant.System || isAdmin(by) || IsAuthor(comment, by.Actor()) {
		return nil
	}
	return ErrNotAuthor
}

// IsAuthor reports whether a is who wrote a comment, on whatever way.
func IsAuthor(comment collection.Record, a tenant.Actor) bool {
	author := AuthorFrom(comment.Group("author"))
	return author.Kind == a.Kind && author.ID == a.ID
}

// mention is how a text mentions a user.
var mention = regexp.MustCompile(`@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b`)

// mentioned are the ids of the users whom next mentions, each once: those that its text names, and those that were named
// beside it. A change of the text alone takes out whom the text named until now.
func mentioned(before, next collection.Record) (ids []string) {
	beside := next.Texts("mentions")
	if before != nil && slices.Equal(beside, before.Texts("mentions")) {
		was := inText(before.Text("text"))
		beside = slices.DeleteFunc(slices.Clone(beside), func(id string) bool { return slices.Contains(was, id) })
	}
	ids = []string{}
	for _, id := range slices.Concat(beside, inText(next.Text("text"))) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func inText(text string) (ids []string) {
	for _, found := range mention.FindAllStringSubmatch(text, -1) {
		ids = append(ids, found[1])
	}
	return ids
}
