import { askForFile } from '../../shared/ask-for-file.ts';
import type { PageStore } from '../page/page-store.ts';
import type { FilesStore } from './files-store.ts';

interface FileDesk {
  readonly files: FilesStore;
  readonly page: PageStore;
}

/** Opens a file and says in a dialog what was understood of it. */
export function openFile({ files, page }: FileDesk, file: File): void {
  page.openDialog('file');
  void files.open(file);
}

/** Says in the same dialog why a file could not even be read. */
export function refuseFile({ files, page }: FileDesk, name: string, reason: string): void {
  page.openDialog('file');
  files.refuse(name, reason);
}

/** Asks the system for a network, a plan, an experiment or measurements. */
export function chooseFile(desk: FileDesk): void {
  askForFile((file) => openFile(desk, file));
}
