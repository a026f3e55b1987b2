import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { guardFaults } from '../../main/electron/faults.ts';
import { LogFile } from '../../main/electron/log-file.ts';
import { startAgain } from '../../main/electron/start-again.ts';
import { fakeElectron } from './fakes.ts';
import { freshFolder } from '../support/fresh-folder.ts';

let folder = '';
let log: LogFile;
beforeEach(() => {
  folder = freshFolder();
  log = new LogFile(join(folder, 'logs', 'zigzag.log'), 200);
});

const written = (): string => readFileSync(log.path, 'utf8');

function guarded() {
  const electron = fakeElectron();
  const process = new EventEmitter();
  const start = guardFaults(electron.asElectron, log, process as unknown as NodeJS.Process);
  return { ...electron, process, start };
}

describe('an error at the start', () => {
  it.each([
    ['throws', () => Promise.reject(new Error('no folder'))],
    [
      'throws before it can reject',
      () => {
        throw new Error('no folder');
      },
    ],
  ])('that %s ends the program with a sentence and a line in the log', async (_how, begin) => {
    const { start, app, dialog } = guarded();
    await start(begin);
    expect(dialog.showErrorBox.mock.calls).toEqual([
      ['Zigzag could not start', `no folder. What happened is written in ${log.path}.`],
    ]);
    expect(app.exit.mock.calls).toEqual([[70]]);
    expect(written()).toMatch(/^\d{4}-\S+Z could not start: Error: no folder\n {4}at /);
  });

  it('is reported once, although more follow', async () => {
    const { start, process, dialog } = guarded();
    process.emit('uncaughtException', new Error('first'));
    await start(() => Promise.reject(new Error('second')));
    expect(dialog.showErrorBox).toHaveBeenCalledOnce();
  });
});

describe('a later error', () => {
  it('is reported once, with a button to restart', async () => {
    const { start, process, app, dialog } = guarded();
    await start(async () => undefined);
    dialog.showMessageBox.mockResolvedValue({ response: 1, checkboxChecked: false });
    process.emit('uncaughtException', new TypeError('x is not a function'));
    process.emit('uncaughtException', new TypeError('again'));
    await vi.waitFor(() => expect(app.quit).toHaveBeenCalledOnce());
    expect(app.relaunch).toHaveBeenCalledOnce();
    expect(dialog.showMessageBox.mock.calls).toMatchObject([
      [{ message: 'Zigzag made a mistake: x is not a function.', buttons: ['Go on', 'Start again'] }],
    ]);
    expect(dialog.showErrorBox).not.toHaveBeenCalled();
  });

  it('in a process of Chromium, or in a promise, is a line in the log', () => {
    const { process, app } = guarded();
    process.emit('unhandledRejection', 'lost');
    app.emit(
      'child-process-gone',
      {},
      { type: 'Utility', name: 'Zigzag trainer', reason: 'oom', exitCode: 9 },
    );
    expect(written()).toMatch(/unhandled rejection: lost\n.*Utility Zigzag trainer: oom, exit code 9\n$/);
  });
});

it('a restart runs the AppImage that was started, and the program itself elsewhere', () => {
  const { app } = fakeElectron();
  startAgain(app, { APPIMAGE: '/home/me/Zigzag.AppImage' });
  startAgain(app, {});
  expect(app.relaunch.mock.calls).toEqual([[{ execPath: '/home/me/Zigzag.AppImage' }], [{}]]);
  expect(app.quit).toHaveBeenCalledTimes(2);
});

describe('the log', () => {
  it('keeps one file of older lines', () => {
    for (let line = 0; line < 20; line++) log.write(`line ${line} ${'x'.repeat(40)}`);
    expect(written()).toContain('line 19');
    expect(written()).not.toContain('line 10 ');
    expect(readFileSync(`${log.path}.old`, 'utf8').length).toBeLessThan(400);
  });

  it('causes no failure if it cannot be written', () => {
    writeFileSync(join(folder, 'logs'), 'a file, no folder');
    expect(() => log.write('lost')).not.toThrow();
  });
});
