package graphql

import "github.com/cartwright-dev/cartwright/domain/collection"

// appendAnswer writes an answer around its data. Spec 7.2.
func appendAnswer(dst []byte, problems []problem, data []byte, extensions map[string]any) []byte {
	dst = append(dst, '{')
	if len(problems) > 0 {
		dst = append(appendProblems(dst, problems), ',')
	}
	dst = append(append(dst, `"data":`...), data...)
	if len(extensions) > 0 {
		dst = collection.AppendTree(append(dst, `,"extensions":`...), extensions)
	}
	return append(dst, '}')
}

func appendProblems(dst []byte, problems []problem) []byte {
	dst = append(dst, `"errors":[`...)
	for i, p := range problems {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.append(dst)
	}
	return append(dst, ']')
}
