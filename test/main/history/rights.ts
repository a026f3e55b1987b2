import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Who may do least on every Unix. */
const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;

/** Ends the rights of root, to whom no file is read-only. */
export function fewerRights(): void {
  if (!isRoot) return;
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}

/** Gives a folder of files to whom a process with fewer rights is. */
export function giveAway(folder: string): void {
  if (!isRoot) return;
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
    chownSync(path, NOBODY, NOBODY);
  }
}
