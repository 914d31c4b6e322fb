package program

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

func (p process) configCommand() *cobra.Command {
	return p.jsonCommand(&cobra.Command{
		Use: "config", Short: "Print every setting: what it does, its default and an example.", Args: exactArgs(),
		Example: "cartwright config",
		Long:    "Print every setting: what it does, its default and an example. Settings are environment variables; their current values are not printed.",
	}, "a list with an object for each setting", func(context.Context, []string) (commandResult, error) {
		return jsonResult(settings(), func(out io.Writer) error {
			_, err := io.WriteString(out, settingsReference())
			return err
		})
	})
}

// settingsReference is CONFIGURATION.md.
func settingsReference() string {
	var b strings.Builder
	b.WriteString(`# Settings

All settings are environment variables and all are optional: without any, the server runs on 127.0.0.1:8080 with all its data
in ./data. Durations are written as 90s, 10m or 36h. At startup all invalid settings are reported at once. An unknown variable that
begins with CARTWRIGHT_ is reported with the setting it probably stands for; in production such a misspelling
stops the start. ` + "`cartwright doctor`" + ` checks the settings.

This file comes from cmd/cartwright/program/config.go by ` + "`cartwright config`" + `, which also prints it as JSON.
`)
	section := ""
	for _, s := range settings() {
		if s.Section != section {
			section = s.Section
			fmt.Fprintf(&b, "\n## %s\n\n| setting | what it does | default | example |\n|---|---|---|---|\n", section)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` |\n", s.Name, s.describe(), codeOrNone(s.Default), s.Example)
	}
	return b.String()
}

// describe describes a setting and its allowed values.
func (s setting) describe() string {
	text := strings.ToUpper(s.Doc[:1]) + s.Doc[1:] + "."
	switch {
	case len(s.Values) > 0:
		text += " One of " + codeList(s.Values) + "."
	case len(s.Schemes) > 0:
		text += " A URL that starts with " + codeList(s.Schemes) + "."
	}
	if s.Secret {
		text += " Contains a secret and is never printed."
	}
	return strings.ReplaceAll(text, "|", `\|`)
}

func codeList(words []string) string { return "`" + strings.Join(words, "`, `") + "`" }

func codeOrNone(word string) string {
	if word == "" {
		return "none"
	}
	return "`" + word + "`"
}
