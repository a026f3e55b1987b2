import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A process that wants locks: `node lock-holder.mjs LOCK_MODULE MARKS`, then one message for each round: what to do
 * and the names of the locks. `die` takes them all and ends without giving them back; `hold` takes each once and
 * answers with how many it held at the same time as another process.
 */
const [, , module, marks] = /** @type {[string, string, string, string]} */ (process.argv);
const { withLock } = await import(pathToFileURL(module).href);

/**
 * Takes each of the locks before it gives the first one back.
 *
 * @param {readonly string[]} names
 */
async function hold(names) {
  let shared = 0;
  const holdOne = async (/** @type {string} */ name) => {
    const mark = join(marks, name);
    try {
      closeSync(openSync(mark, 'wx'));
    } catch {
      shared += 1;
      return;
    }
    await new Promise(setImmediate);
    rmSync(mark);
  };
  await Promise.all(names.map((name) => withLock(name, () => holdOne(name))));
  return shared;
}

/** @param {readonly string[]} names */
async function die(names) {
  await Promise.all(
    names.map((name) => new Promise((held) => withLock(name, () => new Promise(() => held(0))))),
  );
  process.exit(0);
}

process.on('message', async (/** @type {{ what: 'die' | 'hold', names: string[] }} */ { what, names }) => {
  process.send?.(await (what === 'die' ? die(names) : hold(names)));
});
process.send?.('ready');
