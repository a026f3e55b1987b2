import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';

/** Files of the built page; anything else is not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * The file that a request path names inside `root`; null if the path is malformed, outside of root, hidden, or of a
 * type that the page does not use. Does not touch the disk.
 *
 * @param pathname as in the request, percent-encoded, without query
 */
export function pageFile(root: string, pathname: string): { file: string; type: string } | null {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  if (path.split('/').some((part) => part.startsWith('.'))) return null;
  const base = resolve(root);
  const file = join(base, path.endsWith('/') ? `${path}index.html` : path);
  const type = TYPES[extname(file)];
  if (type === undefined || !file.startsWith(base + sep)) return null;
  return { file, type };
}

export interface PageResponse {
  readonly status: 200 | 404;
  readonly type: string;
  readonly body: Buffer;
}

/**
 * Reads the file of a request path. HTML gets the response's nonce as `<meta property="csp-nonce" nonce="…">`, where
 * the page's scripts look for it.
 */
export async function loadPage(root: string, pathname: string, nonce: string): Promise<PageResponse> {
  const found = pageFile(root, pathname);
  const body = found === null ? null : await bodyOf(root, found.file).catch(() => null);
  if (found === null || body === null) {
    return { status: 404, type: 'text/plain; charset=utf-8', body: Buffer.from('Not found.\n') };
  }
  if (!found.type.startsWith('text/html')) return { status: 200, type: found.type, body };
  const meta = `<meta property="csp-nonce" nonce="${nonce}">`;
  const html = body.toString('utf8').replace(/<head[^>]*>/i, (head) => head + meta);
  return { status: 200, type: found.type, body: Buffer.from(html) };
}

/** Content of a file; null for a pipe, and for a file outside the root, even through links. */
async function bodyOf(root: string, file: string): Promise<Buffer | null> {
  const [base, place] = await Promise.all([realpath(root), realpath(file)]);
  if (!place.startsWith(base + sep) || !(await stat(place)).isFile()) return null;
  return readFile(place);
}
