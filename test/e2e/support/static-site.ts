import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const SITE = join(import.meta.dirname, '..', '..', '..', 'dist', 'site');

/** Types that any static host knows. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
};

export interface StaticSite {
  /** Address of the site's folder, with a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A host that only hands out files: no header of its own, no other path, no WebSocket.
 *
 * @param folder where the site lies below the host, such as `/some/folder/`
 */
export async function startStaticSite(folder = '/'): Promise<StaticSite> {
  if (!existsSync(join(SITE, 'index.html')))
    throw new Error('the site is not built: run "npm run site" first');
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname));
    const name = path.startsWith(folder) ? path.slice(folder.length) : null;
    const file = join(SITE, name === '' ? 'index.html' : (name ?? ''));
    const isThere = name !== null && request.method === 'GET' && existsSync(file) && statSync(file).isFile();
    if (!isThere) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${folder}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
