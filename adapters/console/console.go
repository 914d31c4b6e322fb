// Package console has the files of the operators' console: HTML, CSS and ES modules. The console is
// a client of the API like any other: everything that it knows comes through the operator client of the TypeScript SDK.
//
// How it is made:
//
//   - files/base is what all screens share: the shop and its address, words, formats, what is read and heard, forms, keys;
//   - files/parts is what screens are made of, files/shell the frame around them, files/screens the screens by area;
//   - files/words has a file per area and language. Labels and help of what the schema names, and refusals, are told by the server, in
//     the language asked for (Decision 75);
//   - lists and forms are derived from GET /api/schemas, so a new field is there with its label, its help and its rules;
//   - files/vendor is other people's code at the versions of package-lock.json, the SDK, and ui/, the signals and the router that stand
//     beside Preact: scripts/vendor.mjs makes it anew;
//   - dist/ is what the server sends, by brotli, made of files/ by `npm run build` and checked in, so that Go builds without Node. While
//     the console is changed, `node scripts/dev.mjs` shows files/ as they are; `npm run check` checks their types. scripts/groups.mjs says
//     what is sent together, calls.mjs, numbers.mjs and names.mjs what the build says in less, sizes.mjs what all weighs.
//
// Decisions: amounts are shown as the API has them, and added only in minor units. What costs money or cannot be undone is shown before
// it happens, by the preview of the API. A form that was not sent is kept in the browser, with its idempotency key, but for what
// moves money and what is secret. Charts are drawn as elements of the page: a library for them would be a fifth of all that the
// console weighs.
package console

import "embed"

// Files are index.html and what it asks for, below dist/.
//
//go:embed dist
var Files embed.FS
