#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { electronVersion, PACKAGE } from './electron.mjs';
import { progressLine } from './progress.mjs';
import { say } from './root.mjs';

/**
 * Fetches the archive of Electron's program into the cache from which the package's own installer takes it, with
 * progress on standard error. A process of its own, so that it can be interrupted. However slow the link, it goes on
 * while bytes arrive. Exits 0, 1 with the reason as JSON on standard output, or 130 when interrupted.
 */
const STALL_MS = Number(process.env['ZIGZAG_STALL_MS'] ?? 60_000);
const INTERRUPTED = 130;

const require = createRequire(join(PACKAGE, 'package.json'));

/** fetch does not look at HTTPS_PROXY by itself before Node 24. */
async function honourProxy() {
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy } = process.env;
  if (!(HTTPS_PROXY || https_proxy || HTTP_PROXY || http_proxy)) return;
  const { initializeProxy } = await import(require.resolve('@electron/get'));
  initializeProxy();
}

/** @param {boolean} remote @returns {Record<string, string> | undefined} */
const checksums = (remote) =>
  remote ? undefined : JSON.parse(readFileSync(join(PACKAGE, 'checksums.json'), 'utf8'));

async function main() {
  const stall = new AbortController();
  const patience = () => setTimeout(() => stall.abort(new Error('stalled')), STALL_MS);
  let timer = patience();
  const line = progressLine("Electron's program");
  await honourProxy();
  const { downloadArtifact } = await import(require.resolve('@electron/get'));
  const env = process.env;
  try {
    await downloadArtifact({
      version: electronVersion(),
      artifactName: 'electron',
      force: env['force_no_cache'] === 'true',
      cacheRoot: env['electron_config_cache'],
      checksums: checksums(
        Boolean(env['electron_use_remote_checksums'] || env['npm_config_electron_use_remote_checksums']),
      ),
      platform: env['ELECTRON_INSTALL_PLATFORM'] || env['npm_config_platform'] || process.platform,
      arch: env['ELECTRON_INSTALL_ARCH'] || env['npm_config_arch'] || process.arch,
      downloadOptions: {
        quiet: true,
        signal: stall.signal,
        getProgressCallback: async (
          /** @type {{ transferred: number, total: number | null }} */ progress,
        ) => {
          clearTimeout(timer);
          timer = patience();
          line.show(progress.transferred, progress.total);
        },
      },
    });
  } finally {
    clearTimeout(timer);
    line.end();
  }
}

/**
 * @param {any} error
 * @returns {string} a phrase
 */
function reasonOf(error) {
  const cause = error?.cause ?? error;
  const code = String(cause?.code ?? '');
  const host = cause?.hostname ?? cause?.address ?? '';
  if (error?.message === 'stalled' || cause?.message === 'stalled')
    return `no byte of its download arrived for ${Math.round(STALL_MS / 1000)} seconds`;
  if (error?.name === 'HTTPError') {
    const { status, url } = error.response;
    if (status === 404) return `there is no ${url} (404)`;
    if (status === 407) return 'the proxy asks for a name and a password (407): put them into HTTPS_PROXY';
    return `${new URL(url).host} answered with ${status}`;
  }
  if (/checksum/i.test(`${error?.name} ${error?.constructor?.name} ${error?.message}`))
    return 'what was downloaded does not have the checksum that it should have';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the name ${host} could not be resolved`.trim();
  if (code === 'ECONNREFUSED') return `${proxyWords()}${host} refused the connection`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return `${host || 'its server'} did not answer`;
  if (code === 'ENOSPC') return 'the disk is full';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return `the certificate of its server is not trusted (${code}): set NODE_EXTRA_CA_CERTS`;
  return (
    String(cause?.message ?? cause)
      .split('\n', 1)[0]
      ?.replace(/[.;]+$/, '') ?? 'unknown error'
  );
}

const proxyWords = () =>
  process.env['HTTPS_PROXY'] || process.env['https_proxy'] ? 'the proxy of HTTPS_PROXY or ' : '';

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    say("the download of Electron's program was interrupted; it begins anew with the next start.");
    process.exit(INTERRUPTED);
  });
}
main().catch((error) => {
  process.stdout.write(JSON.stringify({ reason: reasonOf(error) }));
  process.exitCode = 1;
});
