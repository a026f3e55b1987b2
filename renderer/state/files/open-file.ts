import { askForFile } from '../../shared/ask-for-file.ts';
import type { PageStore } from '../page/page-store.ts';
import type { FilesStore } from './files-store.ts';

interface FileDesk {
  readonly files: FilesStore;
  readonly page: PageStore;
}

export function openFile({ files, page }: FileDesk, file: File): void {
  page.openDialog('file');
  void files.open(file);
}

export function refuseFile({ files, page }: FileDesk, name: string, reason: string): void {
  page.openDialog('file');
  files.refuse(name, reason);
}

export function chooseFile(desk: FileDesk): void {
  askForFile((file) => openFile(desk, file));
}
