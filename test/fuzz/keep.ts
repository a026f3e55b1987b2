import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { shrunk } from '../support/shrink.ts';
import { TARGETS } from './targets.ts';

/**
 * Makes the case of a fault smaller and keeps it, for test/fuzz/found.test.ts. What hung or died is kept as it is.
 * `node keep.js TARGET SEED FILE FAULT [whole]`.
 */
const [name = '', seed = '0', path = '', fault = '', whole] = process.argv.slice(2);
const target = TARGETS[name];
if (target === undefined) throw new Error(`there is no target ${name}`);

function faultOf(input: unknown): string | null {
  try {
    target?.check(input);
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

/** The same fault may name another number or place. */
const kindOf = (text: string | null): string => (text ?? '').replace(/\d+|"[^"]*"/g, '').slice(0, 40);

const drawn = target.draw(Number(seed));
const input =
  whole === 'whole' || name.startsWith('bombs')
    ? drawn
    : shrunk(drawn, (smaller) => kindOf(faultOf(smaller)) === kindOf(fault));
const kept = input instanceof Uint8Array ? { base64: Buffer.from(input).toString('base64') } : { input };
mkdirSync(dirname(path), { recursive: true });
writeFileSync(
  path,
  `${JSON.stringify({ target: name, seed: Number(seed), fault: fault.slice(0, 300), ...kept })}\n`,
);
