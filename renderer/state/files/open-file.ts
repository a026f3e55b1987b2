import { openDialog } from '../page/actions.ts';
import type { FilesStore } from './files-store.ts';

/** Opens a file and says in a dialog what was understood of it. */
export function openFile(files: FilesStore, file: File): void {
  openDialog('file');
  void files.open(file);
}

/** Asks the system for a file. */
export function chooseFile(files: FilesStore): void {
  const field = document.createElement('input');
  field.type = 'file';
  field.addEventListener('change', () => {
    const [file] = field.files ?? [];
    if (file !== undefined) openFile(files, file);
  });
  field.click();
}
