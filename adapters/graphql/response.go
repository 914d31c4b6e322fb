package graphql

import "github.com/cartwright-dev/cartwright/domain/collection"

// appendAnswer writes an answer around its data. Rule graphql-4.
func appendAnswer(dst []byte, problems []answerError, data []byte, extensions map[string]any) []byte {
	dst = append(dst, '{')
	if len(problems) > 0 {
		dst = append(appendErrors(dst, problems), ',')
	}
	dst = append(append(dst, `"data":`...), data...)
	if len(extensions) > 0 {
		dst = collection.AppendJSONValue(append(dst, `,"extensions":`...), extensions)
	}
	return append(dst, '}')
}

func appendErrors(dst []byte, problems []answerError) []byte {
	dst = append(dst, `"errors":[`...)
	for i, p := range problems {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.append(dst)
	}
	return append(dst, ']')
}
