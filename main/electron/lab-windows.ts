import type { BrowserWindow, IpcMain, Screen } from 'electron';
import type { Told } from '../../app/contract/told.ts';
import { Inbox } from './inbox.ts';
import { keepPlace, keptPlace, type WindowPlace } from './window-place.ts';

/** A further window lies so far right of and below the one in front that both title bars are seen. */
const CASCADE = 32;

export interface LabWindow {
  readonly window: BrowserWindow;
  readonly inbox: Inbox;
}

export interface LabWindowParts {
  readonly ipcMain: Pick<IpcMain, 'on' | 'off'>;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  /** The file with the place of the last window. */
  readonly placeFile: string;
  readonly open: (place: WindowPlace | null) => BrowserWindow;
  /** Called when the last one is closed. */
  readonly emptied: () => void;
}

/** The lab's windows, each a page of its own over the same solver, trainer and history. */
export class LabWindows {
  readonly #parts: LabWindowParts;
  /** In the order in which they had the focus, the latest last. */
  #windows: LabWindow[] = [];

  constructor(parts: LabWindowParts) {
    this.#parts = parts;
  }

  get all(): readonly BrowserWindow[] {
    return this.#windows.map(({ window }) => window);
  }

  /** The one that the user looks at, or looked at last. */
  get front(): LabWindow | undefined {
    return this.#windows.at(-1);
  }

  tellAll(told: Told): void {
    for (const { inbox } of this.#windows) inbox.tell(told);
  }

  open(): LabWindow {
    const { ipcMain, screen, placeFile } = this.#parts;
    const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const beside = this.front?.window.getNormalBounds();
    const place: WindowPlace | null =
      beside === undefined
        ? keptPlace(placeFile, workAreas)
        : { bounds: { ...beside, x: beside.x + CASCADE, y: beside.y + CASCADE }, isMaximized: false };
    const window = this.#parts.open(place);
    keepPlace(window, placeFile);
    const opened = { window, inbox: new Inbox(window, ipcMain) };
    this.#windows.push(opened);
    window.on('focus', () => {
      this.#windows = [...this.#windows.filter((other) => other !== opened), opened];
    });
    window.once('closed', () => {
      this.#windows = this.#windows.filter((other) => other !== opened);
      if (this.#windows.length === 0) this.#parts.emptied();
    });
    return opened;
  }

  /** Brings the latest window to the front, or opens one where all are closed. */
  show(): LabWindow {
    const { front } = this;
    if (front === undefined) return this.open();
    if (front.window.isMinimized()) front.window.restore();
    front.window.focus();
    return front;
  }
}
