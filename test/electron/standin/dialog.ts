import type * as Electron from 'electron';
import { askDriver, tellDriver } from './driver-line.ts';

type Options = Electron.MessageBoxOptions;

/** Dialogs of the system: the driver shows them to the test, which presses a button. */
export const dialog = {
  /** Blocks in Electron; here nobody has to press it away. */
  showErrorBox(title: string, message: string): void {
    tellDriver({ type: 'dialog', id: 0, dialog: { title, message, detail: '', buttons: [] } });
  },

  async showMessageBox(
    first: Electron.BaseWindow | Options,
    second?: Options,
  ): Promise<Electron.MessageBoxReturnValue> {
    const {
      title = '',
      message,
      detail = '',
      buttons = ['OK'],
      cancelId = 0,
      signal,
    } = second ?? (first as Options);
    const response = await askDriver<number>((id) => {
      signal?.addEventListener('abort', () => tellDriver({ type: 'dialog-closed', id }), { once: true });
      return { type: 'dialog', id, dialog: { title, message, detail, buttons } };
    });
    return { response: response < 0 ? cancelId : response, checkboxChecked: false };
  },

  async showOpenDialog(): Promise<Electron.OpenDialogReturnValue> {
    const filePaths = await askDriver<string[]>((id) => ({ type: 'choose-file', id }));
    return { canceled: filePaths.length === 0, filePaths };
  },
} satisfies Partial<Electron.Dialog>;
