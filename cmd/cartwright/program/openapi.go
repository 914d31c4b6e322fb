package program

import (
	"bytes"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/rest"
)

func (p process) openapiCommand() *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use: "openapi", Short: "Print the OpenAPI document of this version.", Args: exactArgs(),
		Annotations: withoutJSON("it always prints JSON"), Example: "cartwright openapi --url https://shop.example > openapi.json",
		Long: "Print the OpenAPI 3.1 document of this version, as a server serves it at /api/openapi.json. Needs no database.",
		RunE: func(*cobra.Command, []string) error {
			document, err := p.openAPIDocument(url)
			if err != nil {
				return err
			}
			_, err = p.out.Write(document)
			return err
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "public URL of the server")
	return cmd
}

// openAPIDocument is the document of a development server that is never started.
func (p process) openAPIDocument(url string) ([]byte, error) {
	s, err := p.describedServer()
	if err != nil {
		return nil, err
	}
	o := s.routes(nil, "http://sandbox", nil)
	o.PublicURL = url
	var out bytes.Buffer
	if err := json.Indent(&out, rest.Document(o), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
