import { EventEmitter } from 'node:events';
import { decode, type Encoded, encode } from './codec.ts';

/** Makes a child of Node look like a utility process of Electron, before its own code runs. */

const send = process.send?.bind(process);

class ParentPort extends EventEmitter {
  postMessage(message: unknown): void {
    send?.(encode(message), undefined, undefined, () => undefined);
  }
}

const port = new ParentPort();
const early: Encoded[] = [];
let isListening = false;
const deliver = (message: Encoded): boolean => port.emit('message', { data: decode(message), ports: [] });

port.on('newListener', (name) => {
  if (name !== 'message' || isListening) return;
  isListening = true;
  setImmediate(() => early.splice(0).map(deliver));
});
process.on('message', (message: Encoded) => {
  if (isListening) deliver(message);
  else early.push(message);
});
// Electron's processes end with the program, whatever they do just then.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
for (const name of ['send', 'disconnect']) Object.defineProperty(process, name, { value: undefined });
Object.assign(process, { parentPort: port, type: 'utility' });
// A utility process warns of a promise that nobody awaits, and goes on.
process.on('unhandledRejection', (reason) => {
  const told = reason instanceof Error ? reason.stack : String(reason);
  process.stderr.write(`(node:${process.pid}) UnhandledPromiseRejectionWarning: ${told}\n`);
});
