// Shows the console from this folder, with the API of a server that runs elsewhere: what is changed here is there after a reload.
//
//   node scripts/dev.mjs [PORT] [SERVER], such as 8090 http://127.0.0.1:8080
import { createServer, request } from 'node:http';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const [port = '8090', server = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const folder = fileURLToPath(new URL('../files/', import.meta.url));
const kinds = { html: 'text/html; charset=utf-8', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; font-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

createServer(async (asked, answer) => {
  const path = new URL(asked.url ?? '/', 'http://x').pathname;
  if (!path.startsWith('/console')) return passOn(asked, answer);
  const name = path.startsWith('/console/files/') ? path.slice('/console/files/'.length) : 'index.html';
  try {
    if (name.includes('..')) throw new Error('outside of the folder');
    const body = await readFile(folder + name);
    answer.writeHead(200, { 'Content-Type': kinds[name.split('.').at(-1)] ?? 'text/plain', 'Cache-Control': 'no-store', 'Content-Security-Policy': policy });
    answer.end(name === 'index.html' ? await page(body.toString()) : body);
  } catch {
    answer.writeHead(404).end();
  }
}).listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/console`));

/** page is the page with all files as they are written. */
async function page(text) {
  const first = ['base.css', 'parts.css', 'shell.css'];
  const styles = [...first, ...(await readdir(`${folder}styles`)).filter((name) => !first.includes(name)).sort()];
  return text
    .replace('<!-- styles -->', styles.map((name) => `<link rel="stylesheet" href="{{files}}/styles/${name}" />`).join(''))
    .replace('<!-- modules -->', '<script type="module" src="{{files}}/main.js"></script>')
    .replaceAll('{{files}}', '/console/files');
}

/** passOn hands a request to the server and its answer back, as it comes. */
function passOn(asked, answer) {
  const to = new URL(asked.url, server);
  // The server compares the Origin of a change with the Host: both are those of this address.
  const out = request(to, { method: asked.method, headers: asked.headers }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  out.on('error', () => answer.writeHead(502).end());
  answer.on('close', () => out.destroy());
  asked.pipe(out);
}
