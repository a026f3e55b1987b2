import type { BrowserWindow, IpcMain, IpcMainEvent } from 'electron';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { LISTENING, TOLD } from '../../app/contract/desktop.ts';
import { MAX_LINK, TOO_LARGE } from '../../app/contract/opened-file.ts';
import type { Told } from '../../app/contract/told.ts';
import { fileSource } from '../../app/bridges/file-source.ts';
import { BadInputError } from '../../engine/errors.ts';
import { isOnnx, skimModel } from '../../engine/exchange/onnx/skim.ts';
import { isLabAddress } from './address.ts';
import { MAX_IMPORT_BYTES } from '../../engine/exchange/read-limits.ts';

/**
 * Holds requests from outside the page until the page listens: files from the system, the command line and a second
 * start, links, and menu entries. A reloaded page listens again.
 */
export class Inbox {
  readonly #window: Pick<BrowserWindow, 'webContents' | 'isDestroyed'>;
  #waiting: Told[] = [];
  #isHeard = false;

  constructor(
    window: Pick<BrowserWindow, 'webContents' | 'isDestroyed'>,
    ipcMain: Pick<IpcMain, 'on' | 'off'>,
  ) {
    this.#window = window;
    const { webContents } = window;
    const { id } = webContents;
    const hear = ({ sender, senderFrame }: IpcMainEvent): void => {
      if (sender.id !== id || senderFrame === null || !isLabAddress(senderFrame.url)) return;
      this.#isHeard = true;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const told of waiting) this.tell(told);
    };
    ipcMain.on(LISTENING, hear);
    // A closed window accepts no calls.
    webContents.once('destroyed', () => ipcMain.off(LISTENING, hear));
    const isGone = (): void => {
      this.#isHeard = false;
    };
    webContents.on('render-process-gone', isGone);
    webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) isGone();
    });
  }

  tell(told: Told): void {
    if (!this.#isHeard) this.#waiting.push(told);
    else if (!this.#window.isDestroyed()) this.#window.webContents.postMessage(TOLD, told);
  }

  /** Reads a file and passes it to the page, or the reason why it cannot be read. @returns whether it was read */
  async openFile(file: string): Promise<boolean> {
    const name = basename(file);
    try {
      this.tell({ kind: 'file', name, bytes: await bytesOf(file) });
      return true;
    } catch (error) {
      this.tell({ kind: 'refused', name, reason: refusalOf(error) });
      return false;
    }
  }

  /** @param link from anywhere; dropped if it is not a link to a view of the lab, refused if it is too long */
  openLink(link: string): void {
    const hash = viewOf(link);
    if (hash === null) return;
    this.tell(
      hash.length > MAX_LINK
        ? { kind: 'refused', name: 'The link', reason: tooLong(hash.length) }
        : { kind: 'link', hash },
    );
  }
}

const tooLong = (letters: number): string =>
  `It has ${letters.toLocaleString('en')} letters, and a link holds ${MAX_LINK.toLocaleString('en')}. Ask for its file instead.`;

/** Part after the `#` of a link to a view of the lab; null for anything else. */
export function viewOf(link: string): string | null {
  if (!isLabAddress(link)) return null;
  const { pathname, search, hash } = new URL(link);
  return pathname === '/' && search === '' && hash.length > 1 ? hash : null;
}

/** Links and files of a command line, which come after Electron's program and our folder. */
export interface Asked {
  readonly files: readonly string[];
  readonly links: readonly string[];
}

/**
 * @param args without the program, and without the lab's folder that starts an unpacked Electron
 * @param folder base of relative file names
 */
export function askedFor(args: readonly string[], folder: string): Asked {
  const links = args.filter((arg) => viewOf(arg) !== null);
  // Chromium adds its own options to a second start; an address with another scheme is not a file.
  const files = args.filter(
    (arg) => arg !== '' && !arg.startsWith('-') && !/^[a-z][a-z0-9+.-]+:\/\//i.test(arg),
  );
  return { links, files: files.map((file) => resolve(folder, file)) };
}

class Refusal extends Error {}

async function bytesOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const stats = await stat(file);
  if (!stats.isFile()) throw new Refusal('it is a folder, a pipe or a device; choose a file');
  if (stats.size > MAX_IMPORT_BYTES) return withoutWeights(file);
  return new Uint8Array(await readFile(file));
}

/** @throws Refusal for a file other than ONNX, BadInputError for one that is broken */
function withoutWeights(file: string): Uint8Array<ArrayBuffer> {
  const source = fileSource(file);
  try {
    if (!isOnnx(source.read(0, 1))) throw new Refusal(TOO_LARGE);
    return skimModel(source);
  } finally {
    source.close();
  }
}

function refusalOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof BadInputError)
    return `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'The file no longer exists. Choose it at its new place.';
  if (code === 'EACCES' || code === 'EPERM')
    return 'You have no permission to read it. Change its permissions, or copy it.';
  return `It could not be read (${code ?? String(error)}). Copy it to another disk and open the copy.`;
}
