package main

import (
	"bytes"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/rest"
)

func (p process) openapiCommand() *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use: "openapi", Short: "Print the OpenAPI document of this version.", Args: takes(), Annotations: plain("it prints JSON anyway"),
		Example: "cartwright openapi --url https://shop.example > openapi.json",
		Long:    "Print the OpenAPI 3.1 document of this version, as a server shows it at /api/openapi.json. It needs no database.",
		RunE: func(*cobra.Command, []string) error {
			document, err := describe(url)
			if err != nil {
				return err
			}
			_, err = p.out.Write(document)
			return err
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "where the server can be reached")
	return cmd
}

// describe is the document of a server in development that is never started.
func describe(url string) ([]byte, error) {
	s, err := unstarted()
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
