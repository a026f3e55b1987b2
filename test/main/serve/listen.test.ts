import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { listen } from '../../../main/serve/listen.ts';

const servers: Server[] = [];
const fresh = (): Server => {
  const server = createServer();
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A server whose port cannot be had, for a reason of the system's. */
function refused(code: string): Server {
  const server = fresh();
  vi.spyOn(server, 'listen').mockImplementation(() => {
    process.nextTick(() => server.emit('error', Object.assign(new Error(`listen ${code}`), { code })));
    return server;
  });
  return server;
}

describe('listening', () => {
  it.each([undefined, 0])('takes a free port for %s, on 127.0.0.1', async (port) => {
    const server = fresh();
    const opened = await listen(server, port);
    expect(opened).toBeGreaterThan(0);
    expect(server.address()).toMatchObject({ address: '127.0.0.1', port: opened });
  });

  it('takes the requested port exclusively', async () => {
    const first = await listen(fresh());
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    const server = fresh();
    const asked = vi.spyOn(server, 'listen');
    expect(await listen(server, first)).toBe(first);
    expect((server.address() as AddressInfo).port).toBe(first);
    expect(asked.mock.calls[0]?.[0]).toEqual({ host: '127.0.0.1', port: first, exclusive: true });
    await expect(listen(fresh(), first)).rejects.toThrow(`port ${first} is in use`);
  });

  it.each([-1, 0.5, 65_536, Number.NaN])('refuses %s before it asks the system', async (port) => {
    const server = fresh();
    const asked = vi.spyOn(server, 'listen');
    await expect(listen(server, port)).rejects.toThrow(BadInputError);
    expect(asked).not.toHaveBeenCalled();
  });

  it('accepts the highest port', async () => {
    const server = fresh();
    vi.spyOn(server, 'listen').mockImplementation(((_options: unknown, done: () => void) => {
      process.nextTick(done);
      return server;
    }) as never);
    // Nothing listens here, so that it is the port that was asked for.
    expect(await listen(server, 65_535)).toBe(65_535);
    expect(await listen(server)).toBe(0);
  });

  it('refuses a privileged port in a sentence', async () => {
    const taken = listen(refused('EACCES'), 80);
    await expect(taken).rejects.toThrow(BadInputError);
    await expect(taken).rejects.toThrow(
      'you may not open port 80; choose another with --port or leave it out',
    );
  });

  it('passes unknown errors on', async () => {
    const odd = listen(refused('EADDRNOTAVAIL'), 80);
    await expect(odd).rejects.not.toThrow(BadInputError);
    await expect(odd).rejects.toThrow('listen EADDRNOTAVAIL');
  });
});
