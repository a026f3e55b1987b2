import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, which goes with the run's own at its end (vitest.config.ts). */
export const freshFolder = (name = 'folder-'): string =>
  mkdtempSync(join(process.env['ZIGZAG_TEST_RUN'] ?? tmpdir(), name));
