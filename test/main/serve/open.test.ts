import { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openInBrowser } from '../../../main/serve/open.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const ADDRESS = 'http://127.0.0.1:1/?token=0&more=1';
const own = process.platform;
let folder: string;

beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: own });
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe.runIf(own !== 'win32')('the browser of a user', () => {
  it.each([
    ['linux', 'xdg-open', [ADDRESS]],
    ['freebsd', 'xdg-open', [ADDRESS]],
    ['darwin', 'open', [ADDRESS]],
    ['win32', 'rundll32', ['url.dll,FileProtocolHandler', ADDRESS]],
  ])('is asked on %s by %s, with the address as one word', async (platform, command, words) => {
    const said = join(folder, 'said');
    // A stand-in in front of every other; whole once it has its name.
    writeFileSync(
      join(folder, command),
      // It leads a group of processes of its own, and reads and writes nothing of the lab's: the end of a terminal is
      // not its end.
      `#!/bin/sh\nkill -0 -$$ && [ -c /dev/fd/0 ] && [ -c /dev/fd/1 ] && [ -c /dev/fd/2 ] && echo alone >> ${said}.part\n` +
        `for word; do echo "$word" >> ${said}.part; done\nmv ${said}.part ${said}\n`,
    );
    chmodSync(join(folder, command), 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
    Object.defineProperty(process, 'platform', { value: platform });
    openInBrowser(ADDRESS);
    await vi.waitUntil(() => existsSync(said));
    expect(readFileSync(said, 'utf8').trim().split('\n')).toEqual(['alone', ...words]);
  });

  it('is optional', async () => {
    vi.stubEnv('PATH', folder);
    const unref = vi.spyOn(ChildProcess.prototype, 'unref');
    openInBrowser(ADDRESS);
    // The lab ends without it.
    expect(unref).toHaveBeenCalledTimes(1);
    const [child] = unref.mock.contexts as ChildProcess[];
    // Its error arrives later, and would end this process where nobody heard it.
    expect(child?.listenerCount('error')).toBe(1);
    expect(await new Promise((resolve) => child?.on('error', resolve))).toMatchObject({ code: 'ENOENT' });
  });
});
