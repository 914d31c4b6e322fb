package mail

// PhoneMessage is a message to a telephone that is ready to be sent: the text of a template that the message service has approved, with
// its variables replaced, and what it was replaced with.
type PhoneMessage struct {
	ID           string // of the delivery; another one when an operator has it sent again
	Kind         Kind
	To           string // as E.164
	Locale       string // language of the text, a BCP 47 tag
	TemplateCode string // by which the message service knows the template
	Text         string // at most MaxMessage characters
	FallbackText string // what may be sent as a plain text message if this one cannot be delivered; "": nothing
	Variables    []MessageValue
	Buttons      []MessageButton // at most MaxButtons
}

// MessageValue is what stands for #{Name} in a message, in one line.
type MessageValue struct{ Name, Value string }

// MessageButton is a button below a message.
type MessageButton struct{ Name, URL string }
