package shop

import "strings"

// registrationWeights are those of the first nine digits of a Korean business registration number.
var registrationWeights = [9]int{1, 3, 7, 1, 3, 7, 1, 3, 5}

// ParseKoreanRegistration returns a Korean business registration number in its usual form, "123-45-67891", from ten digits
// with or without hyphens; ok is false if the check digit is not theirs.
//
// The digits, but the last, are weighted by 1 3 7 1 3 7 1 3 5 and added up, together with the tens of the ninth product; the
// check digit is what the sum lacks to a multiple of ten.
func ParseKoreanRegistration(text string) (number string, ok bool) {
	digits := strings.ReplaceAll(strings.TrimSpace(text), "-", "")
	if len(digits) != len(registrationWeights)+1 || strings.Trim(digits, "0123456789") != "" || strings.Trim(digits, "0") == "" {
		return "", false
	}
	sum := 0
	for i, weight := range registrationWeights {
		sum += int(digits[i]-'0') * weight
	}
	sum += int(digits[8]-'0') * registrationWeights[8] / 10
	if check := int(digits[9] - '0'); (sum+check)%10 != 0 {
		return "", false
	}
	return digits[:3] + "-" + digits[3:5] + "-" + digits[5:], true
}
