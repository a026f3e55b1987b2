import { writeSync } from 'node:fs';
import { TARGETS } from './targets.ts';

/**
 * Tries cases of one target from a seed on, and says so before each and after each fault: what hangs, dies or takes
 * all memory is then known to be that case. `node child.js TARGET SEED`.
 */
const [name = '', first = '0'] = process.argv.slice(2);
const target = TARGETS[name];
if (target === undefined) throw new Error(`there is no target ${name}`);
const say = (line: object): void => {
  writeSync(1, `${JSON.stringify(line)}\n`);
};
for (let seed = Number(first); ; seed++) {
  say({ seed });
  try {
    await target.check(target.draw(seed));
  } catch (error) {
    say({ seed, fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
}
