#!/bin/sh
# Makes the files that go:embed takes from this folder anew: Swagger UI as published. It needs npm, which building the
# product does not. Usage: adapters/rest/ui/assets.sh
set -eu
package=swagger-ui-dist@5.35.0
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent "$package" >/dev/null
tar -xzf ./*.tgz --strip-components=1
for file in swagger-ui.css swagger-ui-bundle.js; do
	gzip -9 -n <"$file" >"$here/$file.gz"
done
cp LICENSE NOTICE "$here/"
cp swagger-ui-bundle.js.LICENSE.txt "$here/LICENSE.bundle"
