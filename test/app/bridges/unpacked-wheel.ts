import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { buildWheel } from '../../../app/start/wheel.mjs';

/** Builds the Python package and unpacks it in a folder, from which Python programs import it. */
export async function unpackWheel(folder: string): Promise<void> {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(await buildWheel(folder))))) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}
