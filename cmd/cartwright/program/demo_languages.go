package program

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// demoLanguages are the languages of the demo shop besides English, in which its texts are written.
var demoLanguages = []string{"ko", "ja"}

// demoWords are the texts of the demo shop in other languages, by those in English: demo/words.ko.json.
//
//go:embed demo/words.*.json
var demoWords embed.FS

// demoTranslated are the collections of the demo shop that shoppers read.
var demoTranslated = []*collection.Schema{
	catalog.Brands, catalog.Categories, catalog.Tags, catalog.Products, catalog.Options, catalog.Variants,
}

// translateDemo gives the shop its languages, and each text of its goods a translation. It returns by with the shop as it is then.
func (k *core) translateDemo(ctx context.Context, by tenant.Principal) (tenant.Principal, error) {
	words, err := readDemoWords()
	if err != nil {
		return by, err
	}
	within := records.InTransaction{Service: k.records}
	settings := map[string]any{"settings": map[string]any{"locales": []any{"en", "ko", "ja"}}}
	if err := k.store.Atomically(ctx, ports.ForPrincipal(by), func(ctx context.Context, tx ports.Tx) error {
		_, err := within.Update(ctx, tx, by, identity.Tenants, string(by.Tenant.ID), settings)
		return err
	}); err != nil {
		return by, err
	}
	shop, err := k.store.APIKeys().Tenant(ctx, by.Tenant.ID)
	if err != nil {
		return by, err
	}
	by = onboarding.SystemPrincipal(shop, by.Environment)
	return by, k.store.Atomically(ctx, ports.ForPrincipal(by), func(ctx context.Context, tx ports.Tx) error {
		for _, schema := range demoTranslated {
			if err := translateAll(ctx, tx, within, by, schema, words); err != nil {
				return err
			}
		}
		return nil
	})
}

func readDemoWords() (map[string]map[string]string, error) {
	words := map[string]map[string]string{}
	for _, language := range demoLanguages {
		file, err := demoWords.ReadFile("demo/words." + language + ".json")
		if err != nil {
			return nil, err
		}
		var texts map[string]string
		if err := json.Unmarshal(file, &texts); err != nil {
			return nil, fmt.Errorf("read the demo shop's words in %s: %w", language, err)
		}
		words[language] = texts
	}
	return words, nil
}

func translateAll(
	ctx context.Context, tx ports.Tx, within records.InTransaction, by tenant.Principal, schema *collection.Schema, words map[string]map[string]string,
) error {
	all, err := ports.FindAll(ctx, tx.Records, collection.Query{Schema: schema, Sort: schema.SortBy("id")})
	if err != nil {
		return err
	}
	for _, r := range all {
		translations := map[string]any{}
		for language, texts := range words {
			translations[language] = translatedTexts(r, texts)
		}
		if _, err := within.Update(ctx, tx, by, schema, r.ID(), map[string]any{collection.TranslationsName: translations}); err != nil {
			return fmt.Errorf("%s %s: %w", schema.Slug, r.ID(), err)
		}
	}
	return nil
}

// translatedTexts are the texts of a record by their paths, in another language. What has no word in it, such as a size, is the same.
func translatedTexts(r collection.Record, words map[string]string) map[string]any {
	in := map[string]any{}
	for _, name := range []string{"name", "description", "title"} {
		if text := r.Text(name); text != "" {
			in[name] = translated(text, words)
		}
	}
	for _, value := range r.Rows("values") {
		in["values."+value.ID()+".label"] = translated(value.Text("label"), words)
	}
	return in
}

// translated is a text in another language; the title of a variant is that of its values.
func translated(text string, words map[string]string) string {
	parts := strings.Split(text, " / ")
	for i, part := range parts {
		if word, ok := words[part]; ok {
			parts[i] = word
		}
	}
	return strings.Join(parts, " / ")
}
