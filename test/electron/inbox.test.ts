import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LISTENING, TOLD } from '../../app/contract/desktop.ts';
import type { Told } from '../../app/contract/told.ts';
import { MAX_CARRIED, MAX_LINK } from '../../app/contract/opened-file.ts';
import { askedFor, Inbox, viewOf } from '../../main/electron/inbox.ts';
import { MAX_IMPORT_BYTES } from '../../engine/exchange/read-limits.ts';
import { freshFolder } from '../support/fresh-folder.ts';

const folder = freshFolder();

class Contents extends EventEmitter {
  readonly id = 7;
  readonly told: Told[] = [];
  postMessage(channel: string, told: Told): void {
    expect(channel).toBe(TOLD);
    this.told.push(told);
  }
}

let contents: Contents;
let ipcMain: EventEmitter;
let inbox: Inbox;

beforeEach(() => {
  contents = new Contents();
  ipcMain = new EventEmitter();
  const window = { webContents: contents, isDestroyed: () => false };
  inbox = new Inbox(window as never, ipcMain as never);
});

const listen = (id = 7, url = 'zigzag://lab/#/compare'): void => {
  ipcMain.emit(LISTENING, { sender: { id }, senderFrame: { url } });
};
const action = (id: string): Told => ({ kind: 'action', id });

describe('a request to the program', () => {
  it('waits for a page that listens, and is sent once', () => {
    inbox.tell(action('one'));
    expect(contents.told).toEqual([]);
    listen();
    expect(contents.told).toEqual([action('one')]);
    inbox.tell(action('two'));
    listen();
    expect(contents.told).toEqual([action('one'), action('two')]);
  });

  it('waits while a page reloads or has crashed, but not during navigation within the page', () => {
    listen();
    contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true });
    inbox.tell(action('at once'));
    expect(contents.told).toEqual([action('at once')]);
    contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    inbox.tell(action('later'));
    contents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(contents.told).toHaveLength(1);
    listen();
    expect(contents.told).toEqual([action('at once'), action('later')]);
  });

  it('has no listener after the window is closed', () => {
    expect(ipcMain.listenerCount(LISTENING)).toBe(1);
    contents.emit('destroyed');
    expect(ipcMain.listenerCount(LISTENING)).toBe(0);
  });

  it('is sent to the lab’s own page only', () => {
    inbox.tell(action('secret'));
    listen(8);
    listen(7, 'https://example.org/');
    expect(contents.told).toEqual([]);
  });
});

describe('a file', () => {
  it('is read and passed on with its name', async () => {
    const file = join(folder, 'net.json');
    writeFileSync(file, '{}');
    listen();
    expect(await inbox.openFile(file)).toBe(true);
    expect(contents.told).toEqual([{ kind: 'file', name: 'net.json', bytes: new Uint8Array([123, 125]) }]);
  });

  it('is refused in a sentence if it is not a file', async () => {
    listen();
    expect(await inbox.openFile(join(folder, 'gone.json'))).toBe(false);
    await inbox.openFile(folder);
    const large = join(folder, 'large.onnx');
    writeFileSync(large, '');
    await truncate(large, MAX_IMPORT_BYTES + 1);
    await inbox.openFile(large);
    expect(contents.told.map((told) => (told.kind === 'refused' ? told.reason : told.kind))).toEqual([
      'The file no longer exists. Choose it at its new place.',
      'It is a folder, a pipe or a device; choose a file.',
      expect.stringMatching(/^The file is larger than 64 MiB and not ONNX, .*\.$/),
    ]);
  });

  it('is passed on without its weights if it is a large ONNX file', async () => {
    listen();
    const large = join(folder, 'weights.onnx');
    // Its version, then a field that holds the rest of the file and is left out.
    const rest = MAX_IMPORT_BYTES + 1;
    const length = [0, 7, 14, 21].map((bits) => ((rest >> bits) & 127) | (bits < 21 ? 128 : 0));
    writeFileSync(large, Uint8Array.from([0x08, 8, 0x32, ...length]));
    await truncate(large, 7 + rest);
    expect(await inbox.openFile(large)).toBe(true);
    expect(contents.told).toEqual([{ kind: 'file', name: 'weights.onnx', bytes: Uint8Array.from([8, 8]) }]);
  });
});

describe('a link', () => {
  it('is the view behind its hash', () => {
    listen();
    inbox.openLink('zigzag://lab/#/compare?model=vgg11&batch=8');
    expect(contents.told).toEqual([{ kind: 'link', hash: '#/compare?model=vgg11&batch=8' }]);
  });

  it('may be as long as the lab writes, and is refused in a sentence if longer', () => {
    listen();
    const asLong = `#${'x'.repeat(MAX_CARRIED)}`;
    inbox.openLink(`zigzag://lab/${asLong}`);
    inbox.openLink(`zigzag://lab/#${'x'.repeat(MAX_LINK)}`);
    expect(contents.told).toEqual([
      { kind: 'link', hash: asLong },
      {
        kind: 'refused',
        name: 'The link',
        reason: 'It has 64,001 letters, and a link holds 64,000. Ask for its file instead.',
      },
    ]);
  });

  it.each([
    'zigzag://trainer/window.html#x',
    'zigzag://lab/',
    'zigzag://lab/#',
    'zigzag://lab/../secret#x',
    'zigzag://lab/?a=1#x',
    'zigzag://user@lab/#x',
    'zigzag://lab:80/#x',
    'file:///etc/passwd#x',
    'https://lab/#x',
    'javascript:alert(1)#x',
    'no link',
    '',
  ])('that is %s is no view', (link) => {
    expect(viewOf(link)).toBeNull();
    listen();
    inbox.openLink(link);
    expect(contents.told).toEqual([]);
  });
});

describe('a command line', () => {
  it('names files against its folder, and links, among Chromium’s options', () => {
    const asked = askedFor(
      ['--allow-file-access', 'net.onnx', '/tmp/plan.json', 'zigzag://lab/#/learn', '-psn_0_1', ''],
      '/home/me',
    );
    expect(asked).toEqual({
      files: ['/home/me/net.onnx', '/tmp/plan.json'],
      links: ['zigzag://lab/#/learn'],
    });
  });

  it('does not treat an address as a file', () => {
    expect(
      askedFor(['https://example.org/net.onnx', 'zigzag://elsewhere/#x', 'file:///net.onnx'], '/'),
    ).toEqual({
      files: [],
      links: [],
    });
    // A drive's letter is no scheme.
    expect(askedFor(['C:\\net.onnx'], '/').files).toHaveLength(1);
  });
});
