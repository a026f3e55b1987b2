import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trainRequestSchema } from '../../../app/contract/training.ts';
import type { TrainerMessage } from '../../../main/trainer/protocol.ts';

const CHROMIUM = '/usr/bin/chromium';
const ROOT = join(import.meta.dirname, '../../..');
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

const why = existsSync(CHROMIUM) ? '' : `: skipped, there is no ${CHROMIUM}`;

describe.skipIf(why !== '')(`the trainer in a window, in Chromium on a software GPU${why}`, () => {
  let folder = '';
  let server: Server;

  beforeAll(async () => {
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    folder = mkdtempSync(join(ROOT, 'dist', 'test-window-'));
    await build({
      configFile: false,
      logLevel: 'error',
      root: join(ROOT, 'main/trainer'),
      base: './',
      build: {
        target: 'es2022',
        outDir: folder,
        emptyOutDir: true,
        minify: false,
        chunkSizeWarningLimit: 5000,
        rolldownOptions: { input: join(ROOT, 'main/trainer/window.html') },
      },
    });
    server = createServer(({ url = '/' }, response) => {
      const file = join(folder, new URL(url, 'http://localhost').pathname);
      response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
      // As strict as the desktop's.
      response.setHeader(
        'Content-Security-Policy',
        "default-src 'none'; script-src 'self'; connect-src 'self'",
      );
      response.end(existsSync(file) ? readFileSync(file) : '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('trains on webgpu with the bytes that were predicted', async () => {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
    });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/window.html`);
      const request = trainRequestSchema.parse({
        model: 'tiny-residual',
        batch: 2,
        input: 8,
        strategy: 'optimal',
        iterations: 1,
      });
      const messages = await page.evaluate(runInPage, request);
      expect(problems).toEqual([]);
      expect(messages.at(-1)).toEqual({ type: 'end', id: 1 });
      const events = messages.flatMap((message) => (message.type === 'event' ? [message.event] : []));
      const start = events.find((event) => event.event === 'start');
      expect(start).toMatchObject({ backend: 'webgpu', backendReason: 'webgpu: asked for' });
      const measured = events.flatMap((event) => (event.event === 'steps' ? event.bytes : []));
      const { perSample, fixed } = start!.timeline.live;
      expect(measured).toEqual(perSample.map((bytes, i) => 2 * bytes + fixed[i]!));
    } finally {
      await browser.close();
    }
  });
});

/** Runs in the page: the host's end of the port. */
function runInPage(request: object): Promise<TrainerMessage[]> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const messages: TrainerMessage[] = [];
    port1.onmessage = ({ data }: MessageEvent<TrainerMessage>) => {
      messages.push(data);
      if (data.type === 'ready') {
        port1.postMessage({ type: 'run', id: 1, request: { ...request, backend: 'webgpu' } });
      }
      if (data.type === 'end' || data.type === 'error') resolve(messages);
    };
    window.postMessage('zigzag:trainer-port', '*', [port2]);
  });
}
