#!/bin/sh
# Makes the files that go:embed takes from this folder anew: GraphiQL with the React it runs on, without its web fonts.
# It needs npm, which building the product does not. Usage: adapters/rest/playground/assets.sh
set -eu
graphiql=graphiql@3.8.3 react=react@18.3.1 dom=react-dom@18.3.1 esbuild=esbuild@0.25.0
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for package in "$graphiql" "$react" "$dom"; do
	npm pack --silent "$package" >/dev/null
	mkdir "${package%@*}"
	tar -xzf "${package%@*}"-[0-9]*.tgz -C "${package%@*}" --strip-components=1
done
npx --yes --loglevel=error "$esbuild" graphiql/graphiql.min.js --minify --log-level=error --outfile=graphiql.js
npx --yes --loglevel=error "$esbuild" graphiql/graphiql.min.css --minify --log-level=error --outfile=graphiql.css
cat react/umd/react.production.min.js react-dom/umd/react-dom.production.min.js graphiql.js | gzip -9 -n >"$here/assets/graphiql.js.gz"
sed -E 's/@font-face\{[^}]*\}//g' graphiql.css | gzip -9 -n >"$here/assets/graphiql.css.gz"
for package in graphiql react react-dom; do
	printf '%s\n\n' "$package" && cat "$package/LICENSE" && printf '\n'
done >"$here/assets/LICENSES.txt"
