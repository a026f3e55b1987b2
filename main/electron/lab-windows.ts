import type { BrowserWindow, IpcMain, Screen } from 'electron';
import type { Told } from '../../app/contract/told.ts';
import { Inbox } from './inbox.ts';
import { keepPlace, keptPlace, type WindowPlace } from './window-place.ts';

/** Offset of a new window from the one in front, so that both title bars show. */
const CASCADE = 32;

export interface LabWindow {
  readonly window: BrowserWindow;
  readonly inbox: Inbox;
}

export interface LabWindowParts {
  readonly ipcMain: Pick<IpcMain, 'on' | 'off'>;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  /** File that stores the place of the last window. */
  readonly placeFile: string;
  readonly open: (place: WindowPlace | null) => BrowserWindow;
  /** Called when the last window closes. */
  readonly emptied: () => void;
}

/** The lab's windows: each has its own page, and all share one solver, trainer and history. */
export class LabWindows {
  readonly #parts: LabWindowParts;
  /** In order of focus, the latest last. */
  #windows: LabWindow[] = [];

  constructor(parts: LabWindowParts) {
    this.#parts = parts;
  }

  get all(): readonly BrowserWindow[] {
    return this.#windows.map(({ window }) => window);
  }

  /** The focused window, or the last one that had the focus. */
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

  /** Brings the latest window to the front, or opens one if all are closed. */
  show(): LabWindow {
    const { front } = this;
    if (front === undefined) return this.open();
    if (front.window.isMinimized()) front.window.restore();
    front.window.focus();
    return front;
  }
}
