// Serves the console with the headers of the server, and passes everything else to a running server:
// node dev.mjs [port] [server]. It builds the sources into .dev, and again when one changes. It never writes dist, which
// belongs to `npm run build` alone: both may run at a time. UNDERLAY_TOKEN gives the page another token than the server
// would, and --still serves dist as it is.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import { createServer, request } from 'node:http';

const [port = '7412', server = 'http://127.0.0.1:8080'] = process.argv.slice(2).filter((it) => !it.startsWith('--'));
const still = process.argv.includes('--still');
const files = still ? 'dist' : '.dev';
const TYPES = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', html: 'text/html; charset=utf-8' };
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

function pass(asked, answer) {
  const headers = { ...asked.headers, host: new URL(server).host };
  if (headers.origin) headers.origin = server;
  const passed = request(server + asked.url, { method: asked.method, headers }, (it) => {
    answer.writeHead(it.statusCode, it.headers);
    it.pipe(answer);
  });
  // A server that is away is away for the page, too.
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
}

// The address of a full impact basket has 40 kB, which the server takes.
const own = createServer({ maxHeaderSize: 131_072 }, (asked, answer) => {
  const path = new URL(server + asked.url).pathname;
  if (path === '/console/session' && process.env.UNDERLAY_TOKEN) {
    answer.writeHead(200, { ...HEADERS, 'content-type': 'application/json' });
    return answer.end(JSON.stringify({ version: 'dev', way: 'local', token: process.env.UNDERLAY_TOKEN }));
  }
  const file = path.match(/^\/console\/([\w-]+\.(js|css|svg))$/);
  if (file && existsSync(`${files}/${file[1]}`)) {
    return answer.writeHead(200, { ...HEADERS, 'content-type': TYPES[file[2]] }).end(readFileSync(`${files}/${file[1]}`));
  }
  if (/^\/(graphql|trace|facts|console|healthz|metrics)(\/|$)/.test(path)) return pass(asked, answer);
  answer.writeHead(200, { ...HEADERS, 'content-type': TYPES.html }).end(readFileSync(`${files}/index.html`));
});

own.on('upgrade', (asked, socket) => {
  const headers = { ...asked.headers, host: new URL(server).host, origin: server };
  const passed = request(server + asked.url, { headers });
  passed.on('upgrade', (answer, other, head) => {
    const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    if (head.length) socket.write(head);
    other.pipe(socket).pipe(other);
    for (const it of [other, socket]) it.on('error', () => { other.destroy(); socket.destroy(); });
  });
  passed.on('response', () => socket.destroy());
  passed.on('error', () => socket.destroy());
  passed.end();
});

/** Builds the sources into .dev. */
const build = () => new Promise((done) => spawn('node', ['build.mjs', '--dev'], { stdio: 'inherit' }).once('close', done));

let waiting;
let building = Promise.resolve();
if (!still) {
  await build();
  watch('src', { recursive: true }, () => {
    clearTimeout(waiting);
    // One build at a time: the next begins when the one before has ended.
    waiting = setTimeout(() => { building = building.then(build); }, 100);
  });
}
own.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${own.address().port}/ for ${server}`));
