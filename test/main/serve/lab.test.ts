import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLabClient } from '../../../app/contract/client.ts';
import { DEAF_CODE } from '../../../app/contract/socket.ts';
import { type LabServer, type LabServerOptions, serveLab } from '../../../main/serve/server.ts';
import { freshKeys } from '../../../main/serve/keys.ts';
import { MAX_QUEUED_BYTES } from '../../../main/serve/sockets.ts';
import { openSocket, sessionOf } from '../support/carriers.ts';
import { stubServices } from '../support/stub-services.ts';
import * as raw from './raw.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

// Each test serves a lab of its own: one that does not begin fails it, and skips no other.
let pageRoot: string;
const served: LabServer[] = [];
beforeEach(() => {
  pageRoot = freshFolder();
  writeFileSync(join(pageRoot, 'index.html'), '<head></head>');
  writeFileSync(join(pageRoot, 'long.js'), '// '.repeat(1 << 20));
});
afterEach(async () => {
  for (const lab of served.splice(0)) await lab.close();
});

async function serve(options: Partial<LabServerOptions> = {}): Promise<LabServer> {
  const lab = await serveLab({ services: stubServices({}), pageRoot, ...options });
  served.push(lab);
  return lab;
}

const tokenOf = (address: string): string => new URL(address).searchParams.get('token') ?? '';

describe('a served lab', () => {
  it('serves its page and the page’s requests at its printed address', async () => {
    const lab = await serve();
    expect(lab.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{32}$/);
    const page = await fetch(lab.url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('csp-nonce')]);
    const socket = await openSocket(lab);
    await new Promise((resolve) => socket.once('open', resolve));
    const client = createLabClient({ websocket: socket as unknown as globalThis.WebSocket });
    expect((await client.about()).carrier).toBe('test');
    socket.terminate();
  });

  it('gives each command line’s address its own key; a second use drops the first page', async () => {
    const lab = await serve();
    const [one, two] = [lab.urlForOnce(), lab.urlForOnce()];
    expect(new Set([lab.url, one, two].map(tokenOf)).size).toBe(3);
    expect(new Set([lab.url, one, two].map((url) => new URL(url).origin)).size).toBe(1);
    const socket = await openSocket({ url: one });
    await new Promise((resolve) => socket.once('open', resolve));
    const dropped = new Promise((resolve) => socket.once('close', resolve));
    expect(await sessionOf(one)).toBeNull();
    await dropped;
    expect(await sessionOf(two)).toMatch(/^[0-9a-f]{32}$/);
  });

  it('uses the previous lab’s keys, and reports changes', async () => {
    const [kept, onChange] = [freshKeys(), vi.fn()];
    const lab = await serve({ keys: { kept, onChange } });
    expect(tokenOf(lab.url)).toBe(kept.printed);
    expect(await sessionOf(lab.url)).toBe(kept.session);
    expect(onChange).not.toHaveBeenCalled();
    const session = await sessionOf(lab.urlForOnce());
    expect(onChange.mock.calls).toEqual([[{ ...kept, issued: [session] }]]);
  });

  it('answers a connection’s requests one after the other, and closes one that pipelines', async () => {
    const url = new URL((await serve()).url);
    const asking = raw.requestText('GET /', { Host: url.host });
    const patient = await raw.open(url);
    for (let i = 0; i < 3; i++) {
      patient.write(asking);
      expect(await raw.answerOf(patient, (text) => text.includes('csp-nonce'))).toMatch(/^HTTP\/1\.1 200/);
    }
    patient.destroy();
    const hasty = await raw.open(url);
    hasty.on('error', () => undefined);
    hasty.write(raw.requestText('GET /long.js', { Host: url.host }).repeat(9));
    const answers = (await raw.answerOf(hasty)).split('HTTP/1.1 200').length - 1;
    expect(answers).toBeLessThan(2);
  });

  const QUICK = { headersMs: 100, requestMs: 200, checkMs: 20, connections: 2 };

  it('limits the time of a request', async () => {
    const url = new URL((await serve({ limits: QUICK })).url);
    for (const text of [
      'GET / HTTP/1.1\r\nX-A: ',
      `POST /session HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 9\r\n\r\n`,
    ]) {
      const socket = await raw.open(url);
      socket.on('error', () => undefined);
      socket.write(text);
      // It is over, whatever was said: answerOf waits for that.
      await raw.answerOf(socket);
      socket.destroy();
    }
  });

  it('limits the number of connections', async () => {
    const url = new URL((await serve({ limits: { ...QUICK, headersMs: 60_000, requestMs: 60_000 } })).url);
    const sockets = await Promise.all([raw.open(url), raw.open(url), raw.open(url)]);
    for (const socket of sockets) socket.on('error', () => undefined);
    const closed = sockets.map((socket, i) => raw.answerOf(socket).then(() => i));
    // The one that came last is closed; the others are answered.
    const last = await Promise.race(closed);
    const others = sockets.filter((_, i) => i !== last);
    for (const socket of others) {
      socket.write(raw.requestText('GET /', { Host: url.host }));
      expect(await raw.answerOf(socket, (text) => text.includes('csp-nonce'))).toMatch(/^HTTP\/1\.1 200/);
    }
    for (const socket of sockets) socket.destroy();
  });

  it('listens on the loopback interface only', async () => {
    const { port } = new URL((await serve()).url);
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    for (const { address } of others) await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow();
  });

  it('refuses an invalid port, and frees its own at the end', async () => {
    await expect(serve({ port: -1 })).rejects.toThrow('--port: expected a whole number from 0 to 65535');
    const first = await serve();
    (await openSocket(first)).on('error', () => undefined);
    await first.close();
    await serve({ port: Number(new URL(first.url).port) });
  });

  it('drops a page that does not read, with a reason, before unread data fills memory', async () => {
    const megabytes = 'x'.repeat(4 << 20);
    let answered = 0;
    const exportFile = async () => {
      answered += 1;
      return { text: megabytes, name: 'x', type: 'text/plain', notes: [] } as never;
    };
    const lab = await serve({ services: stubServices({ exportFile }) });
    const socket = await openSocket(lab);
    const ended = new Promise<{ code: number; reason: string }>((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
    );
    await new Promise((resolve) => socket.on('open', resolve));
    const client = createLabClient({ websocket: socket as unknown as globalThis.WebSocket });
    socket.pause();
    const most = MAX_QUEUED_BYTES / megabytes.length;
    const request = {
      experiment: { model: 'chain-4', batch: 1, strategies: ['regular'] },
      strategy: 'regular',
      form: 'plan' as const,
    };
    const asked = Array.from({ length: 4 * most }, () => client.exportFile(request).catch(() => 'dropped'));
    await vi.waitUntil(() => answered === asked.length);
    socket.resume();
    const { code, reason } = await ended;
    expect([DEAF_CODE, 1006]).toContain(code);
    // It was told with what it had read in the two seconds before its connection was cut, if it came to that.
    if (code === DEAF_CODE) expect(reason).toMatch(/^this page does not read: \d+ MiB wait for it$/);
    const got = (await Promise.all(asked)).filter((one) => one !== 'dropped').length;
    // The system's own buffers of a connection hold some besides.
    expect(got).toBeLessThan(2 * most);
    if (code === DEAF_CODE) expect(got).toBeGreaterThan(0);
  });
});

function promised() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

it('the end of a lab waits for searches and runs to end, then writes the history', async () => {
  const order: string[] = [];
  const services = stubServices({});
  const closing = (name: string, until: Promise<void> = Promise.resolve()) => ({
    async close() {
      order.push(`${name} closes`);
      await until;
      order.push(`${name} is closed`);
    },
  });
  const [solverEnds, trainerEnds] = [promised(), promised()];
  const lab = await serveLab({
    pageRoot,
    services: {
      ...services,
      solver: { ...services.solver, ...closing('solver', solverEnds.promise) },
      trainer: { ...services.trainer, ...closing('trainer', trainerEnds.promise) },
      history: { ...services.history, ...closing('history') },
    },
  });
  const socket = await openSocket(lab);
  await new Promise((resolve) => socket.on('open', resolve));
  const dropped = new Promise((resolve) => socket.on('close', resolve));
  const closed = lab.close().then(() => order.push('all'));
  await dropped;
  trainerEnds.resolve();
  await vi.waitUntil(() => order.includes('trainer is closed'));
  await expect(fetch(new URL('/', lab.url))).rejects.toThrow();
  expect(order).toEqual(['solver closes', 'trainer closes', 'trainer is closed']);
  solverEnds.resolve();
  await closed;
  expect(order.slice(3)).toEqual(['solver is closed', 'history closes', 'history is closed', 'all']);
});
