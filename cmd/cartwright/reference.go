package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

func (p process) configCommand() *cobra.Command {
	return p.answering(&cobra.Command{
		Use: "config", Short: "Print every setting: what it does, its default and an example.", Args: takes(), Example: "cartwright config",
		Long: "Print every setting: what it does, its default and an example. Settings are environment variables; their present values are not printed.",
	}, "a list with an object for each setting", func(context.Context, []string) (answer, error) {
		return valued(settings(), func(out io.Writer) error {
			_, err := io.WriteString(out, reference())
			return err
		})
	})
}

// reference is CONFIGURATION.md.
func reference() string {
	var b strings.Builder
	b.WriteString(`# Settings

Everything is set by environment variables, and nothing has to be: without any, the server runs on 127.0.0.1:8080 with all it
keeps in ./data. Durations are written as 90s, 10m or 36h. A start tells all problems of its settings at once; a name that
begins with CARTWRIGHT_ and is no setting is told with the setting that it may have been meant for, and ends the start of
production if it is a misspelling of one. ` + "`cartwright doctor`" + ` tries the settings out.

This file comes from cmd/cartwright/config.go by ` + "`cartwright config`" + `, which also prints it as JSON.
`)
	section := ""
	for _, s := range settings() {
		if s.Section != section {
			section = s.Section
			fmt.Fprintf(&b, "\n## %s\n\n| setting | what it does | default | example |\n|---|---|---|---|\n", section)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` |\n", s.Name, s.sentence(), code(s.Default), s.Example)
	}
	return b.String()
}

// sentence is what a setting does, with what it may be.
func (s setting) sentence() string {
	text := strings.ToUpper(s.Doc[:1]) + s.Doc[1:] + "."
	switch {
	case len(s.Values) > 0:
		text += " One of " + codes(s.Values) + "."
	case len(s.Schemes) > 0:
		text += " A URL that starts with " + codes(s.Schemes) + "."
	}
	if s.Secret {
		text += " Holds a secret: it is never printed."
	}
	return strings.ReplaceAll(text, "|", `\|`)
}

func codes(words []string) string { return "`" + strings.Join(words, "`, `") + "`" }

func code(word string) string {
	if word == "" {
		return "none"
	}
	return "`" + word + "`"
}
