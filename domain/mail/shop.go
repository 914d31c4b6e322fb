package mail

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/paper"
)

// Shop is whose mails these are.
type Shop struct {
	paper.Shop // what its documents say; the file of the logo is not needed

	Locale  string // in which it writes unless told otherwise
	LogoURL string // an https address of its logo; "": its name stands there
	Color   string // of buttons, such as "#0f766e"; "": nearly black
	Sender  string // name from which mails come; "": Name
	Footer  string // what stands below every mail; "": who is behind the shop
}

// ShopFrom is the shop called name in a country by its profile, a record of shop.Profiles (nil for none), whose logo has the address logoURL.
func ShopFrom(name, country string, profile collection.Record, logoURL, locale string, zone *time.Location) Shop {
	own := profile.Group("mail")
	return Shop{
		Shop: paper.ShopFrom(name, country, profile, zone), Locale: locale, LogoURL: logoURL, Color: own.Text("color"), Sender: own.Text("sender"),
		Footer: own.Text("footer"),
	}
}

// footer are the lines below a mail: what the shop wants there, or who is behind it.
func (s speech) footer() []string {
	if s.shop.Footer != "" {
		return strings.Split(clean(s.shop.Footer), "\n")
	}
	labeled := func(label, text string) string {
		if text == "" {
			return ""
		}
		return label + " " + text
	}
	joined := func(parts ...string) string {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		return strings.ReplaceAll(clean(strings.Join(parts, " · ")), "\n", " ")
	}
	var address []string
	if a := s.shop.Address; a != nil {
		place := *a
		place.RecipientName, place.Phone = "", ""
		address = s.shop.Recipient(&place)
	}
	lines := []string{
		joined(cmp.Or(s.shop.BusinessName, s.shop.Name), labeled(s.words.representative, s.shop.Representative)),
		joined(labeled(s.words.registrationNumber, s.shop.RegistrationNumber), labeled(s.words.mailOrderNumber, s.shop.MailOrderNumber)),
		joined(address...), joined(s.shop.Phone, s.shop.Email),
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// ink is the color of what stands on color, a #rrggbb: black or white, whichever can be read better. Between 4.58 and 21 to 1.
func ink(color string) string {
	if luminance(color) > 0.179 { // where both have the same contrast
		return "#000000"
	}
	return "#ffffff"
}

// luminance is the relative luminance of a #rrggbb, as the Web Content Accessibility Guidelines define it: 0 for black, 1 for white.
func luminance(color string) float64 {
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, _ := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
