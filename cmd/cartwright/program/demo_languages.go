package program

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// demoWords are the texts of the demo shop in other languages, by those in English: demo/words.ko.json.
//
//go:embed demo/words.*.json
var demoWords embed.FS

// demoLanguages are the languages of demoWords.
var demoLanguages = []string{"ko", "ja"}

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
	locales := []any{"en"}
	for _, language := range demoLanguages {
		locales = append(locales, language)
	}
	settings := map[string]any{"settings": map[string]any{"locales": locales}}
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
	for _, schema := range demoTranslated {
		if err := k.translateAll(ctx, by, schema, words); err != nil {
			return by, fmt.Errorf("%s: %w", schema.Slug, err)
		}
	}
	return by, nil
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

// demoChunk is how many records a transaction translates: all at once would be too many for one on a busy machine. Whoever dies between two
// begins anew, since the markets come later; see fillDemo.
const demoChunk = 10

func (k *core) translateAll(ctx context.Context, by tenant.Principal, schema *collection.Schema, words map[string]map[string]string) error {
	of := ports.ForPrincipal(by)
	all, err := ports.FindAll(ctx, k.store.Read(of), collection.Query{Schema: schema, Sort: schema.SortBy("id")})
	if err != nil {
		return err
	}
	within := records.InTransaction{Service: k.records}
	for chunk := range slices.Chunk(all, demoChunk) {
		if err := k.store.Atomically(ctx, of, func(ctx context.Context, tx ports.Tx) error {
			for _, r := range chunk {
				if _, err := within.Update(ctx, tx, by, schema, r.ID(), translationsOf(r, words)); err != nil {
					return fmt.Errorf("%s: %w", r.ID(), err)
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// translationsOf is the change that gives a record its texts in other languages.
func translationsOf(r collection.Record, words map[string]map[string]string) map[string]any {
	translations := map[string]any{}
	for language, texts := range words {
		translations[language] = translatedTexts(r, texts)
	}
	return map[string]any{collection.TranslationsName: translations}
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
