import { readFileSync } from 'node:fs';

/** Version of the package that a module belongs to: the nearest package.json above it. */
export function versionAbove(moduleUrl: string): string {
  for (let at = new URL('./', moduleUrl); ; at = new URL('../', at)) {
    try {
      return String(JSON.parse(readFileSync(new URL('package.json', at), 'utf8')).version);
    } catch {
      if (at.pathname === '/' || new URL('../', at).href === at.href) return 'unknown';
    }
  }
}
