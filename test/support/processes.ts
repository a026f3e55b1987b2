import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Facts of Linux about one process. */
export interface ProcessFacts {
  readonly rssBytes: number;
  readonly threads: number;
  /** Open files, sockets and pipes. */
  readonly descriptors: number;
}

/** Null where it has ended. */
export function factsOf(pid: number): ProcessFacts | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    const rssBytes = 1024 * number('VmRSS');
    // A process that has ended and is not taken note of yet has no memory.
    if (Number.isNaN(rssBytes)) return null;
    return { rssBytes, threads: number('Threads'), descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

/** The processes that a process started, with their command lines; from Linux's own list. */
export function childrenOf(parent: number): { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // "pid (name) state ppid …"; the name may contain anything but ends at the last parenthesis.
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) !== parent) return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), command }];
      } catch {
        return [];
      }
    });
}

/** Size of all files in a folder, which may come and go. */
export function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return sum + (stats?.isFile() === true ? stats.size : 0);
  }, 0);
}
