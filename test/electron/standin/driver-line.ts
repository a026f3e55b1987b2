import { EventEmitter } from 'node:events';
import type { Executed, FromShell, Picture, ToShell } from './wire.ts';

/** The stand-in's end of the line to the driver. */

type Incoming = { [Type in ToShell['type']]: [Extract<ToShell, { type: Type }>] };

export const fromDriver = new EventEmitter<Incoming>();
process.on('message', (message: ToShell) => {
  // One listener for each type, whose message fits it.
  (fromDriver as EventEmitter).emit(message.type, message);
});

export function tellDriver(message: FromShell, sent: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, undefined, undefined, sent);
  else sent();
}

let lastId = 0;
const waiting = new Map<number, (value: never) => void>();

/** Asks the driver something that takes a while. */
export function askDriver<Value extends number | Picture | null | readonly string[] | Executed>(
  ask: (id: number) => FromShell,
): Promise<Value> {
  const id = ++lastId;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    tellDriver(ask(id));
  });
}

function settle(id: number, value: unknown): void {
  waiting.get(id)?.(value as never);
  waiting.delete(id);
}

fromDriver.on('captured', ({ id, picture }) => settle(id, picture));
fromDriver.on('file-chosen', ({ id, files }) => settle(id, files));
fromDriver.on('executed', ({ id, outcome }) => settle(id, outcome));
fromDriver.on('answered', ({ id, response }) => settle(id, response));
