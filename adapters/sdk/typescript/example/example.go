// Package example holds the example storefront: plain HTML, CSS and ES modules on @cartwright/sdk, with
// nothing to build. Copied to any web server beside a shop.json of {"name": …, "clientKey": …, "baseUrl": …}
// it is a shop of its own.
//
// cartwright-sdk.js is the package's root entry as esbuild bundles it: `npm run example` writes it anew. The fonts are
// subsets as published on npm; OFL.txt names them.
package example

import "embed"

// Files are index.html and what it asks for, side by side.
//
//go:embed *.html *.css *.js *.svg *.woff2 OFL.txt
var Files embed.FS
