// Package ui holds the page that shows the API's documentation: Swagger UI as published on npm, compressed, and the few
// lines that start it. `make assets` fetches it anew; building the product needs neither npm nor the network.
package ui

import "embed"

// Files are page.html, page.css, page.js, and what comes from npm: swagger-ui.css.gz and swagger-ui-bundle.js.gz.
//
//go:embed page.html page.css page.js *.gz LICENSE LICENSE.bundle NOTICE
var Files embed.FS
