import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILT, manifest, ROOT } from './life.ts';
import { tellDriver } from './driver-line.ts';

/** Runs the program's main process with `electron` replaced. As Electron does, it tells of a fault and goes on. */

const standIn = pathToFileURL(join(BUILT, 'electron.js')).href;
const hook = `export const resolve = (name, context, next) =>
  name === 'electron' ? { url: ${JSON.stringify(standIn)}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const tellFault = (error: unknown): void => {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const title = 'A JavaScript error occurred in the main process';
  tellDriver({ type: 'dialog', id: 0, dialog: { title, message: told, detail: '', buttons: [] } });
};
// Electron's own dialog comes only where the program does not listen itself.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') === 1) tellFault(error);
});
process.on('unhandledRejection', (reason) => {
  process.stderr.write(`UnhandledPromiseRejectionWarning: ${String(reason)}\n`);
});

Object.defineProperty(process.versions, 'electron', {
  value: process.env['STANDIN_VERSION'],
  enumerable: true,
});
process.argv = [process.execPath, ROOT, ...process.argv.slice(2)];
try {
  await import(pathToFileURL(join(ROOT, manifest.main)).href);
} catch (error) {
  process.emit('uncaughtException', error as Error);
}
tellDriver({ type: 'evaluated' });
