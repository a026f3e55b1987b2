import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './built.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8')) as {
  readonly version: string;
};

/** Content of `process.versions` for the program: from the package, not from a running one. */
export const versions = { electron: version };
