import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './built.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8')) as {
  readonly version: string;
};

/** What the program finds in `process.versions`: of the package, not of a program that ran. */
export const versions = { electron: version };
