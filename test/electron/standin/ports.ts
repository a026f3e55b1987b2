import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { decode, type Encoded, encode } from './codec.ts';
import { tellDriver } from './driver-line.ts';
import type { NothingElse } from './promise.ts';

/** One end of a channel: of the main process, until it is handed to a page. */
interface End {
  readonly port: StandInPort;
  peer: End | null;
  readonly queue: Encoded[];
  isStarted: boolean;
  isClosed: boolean;
  page: { readonly windowId: number; readonly id: number } | null;
}

const ends = new WeakMap<object, End>();
const inPages = new Map<number, End>();
let lastId = 0;

export class StandInPort
  extends EventEmitter
  implements Pick<Electron.MessagePortMain, 'postMessage' | 'start' | 'close'>
{
  constructor() {
    super();
    const port = this;
    ends.set(this, { port, peer: null, queue: [], isStarted: false, isClosed: false, page: null });
  }

  postMessage(message: unknown): void {
    const end = endOf(this);
    if (end.page !== null) throw new Error('port is neutered');
    const encoded = encode(message);
    if (!end.isClosed && end.peer !== null) arrive(end.peer, encoded);
  }

  start(): void {
    const end = endOf(this);
    end.isStarted = true;
    flush(end);
  }

  close(): void {
    const end = endOf(this);
    if (end.isClosed) return;
    end.isClosed = true;
    setImmediate(() => {
      this.emit('close');
      if (end.peer !== null) hangUp(end.peer);
    });
  }
}

export class StandInChannel implements Record<keyof Electron.MessageChannelMain, StandInPort> {
  readonly port1 = new StandInPort();
  readonly port2 = new StandInPort();

  constructor() {
    const [one, two] = [endOf(this.port1), endOf(this.port2)];
    one.peer = two;
    two.peer = one;
  }
}

true satisfies NothingElse<StandInPort, Electron.MessagePortMain>;

function endOf(port: object): End {
  const end = ends.get(port);
  if (end === undefined) throw new TypeError('Port at index 0 is not a valid port');
  return end;
}

function arrive(end: End, encoded: Encoded): void {
  if (end.isClosed) return;
  if (end.page === null) {
    end.queue.push(encoded);
    flush(end);
  } else {
    const { windowId, id: port } = end.page;
    tellDriver({ type: 'to-page', windowId, message: { type: 'deliver', port, message: encoded } });
  }
}

function flush(end: End): void {
  if (!end.isStarted) return;
  for (const encoded of end.queue.splice(0)) {
    setImmediate(() => end.isClosed || end.port.emit('message', { data: decode(encoded), ports: [] }));
  }
}

/** The other end is gone. */
function hangUp(end: End): void {
  if (end.isClosed) return;
  end.isClosed = true;
  if (end.page !== null) {
    const { windowId, id: port } = end.page;
    tellDriver({ type: 'to-page', windowId, message: { type: 'close', port } });
  }
  end.port.emit('close');
}

/**
 * Hands ends to a page, for which the main process has them no longer.
 *
 * @returns their numbers, and what to call once the page was told of them
 */
export function handToPage(windowId: number, ports: readonly object[]): { ids: number[]; begin: () => void } {
  const handed = ports.map((port) => {
    const end = endOf(port);
    if (end.page !== null) throw new Error('Port at index 0 is already neutered');
    const id = ++lastId;
    end.page = { windowId, id };
    inPages.set(id, end);
    return { id, end };
  });
  return {
    ids: handed.map(({ id }) => id),
    begin: () => {
      for (const { end } of handed) for (const encoded of end.queue.splice(0)) arrive(end, encoded);
    },
  };
}

export function messageOfPage(id: number, message: Encoded): void {
  const peer = inPages.get(id)?.peer;
  if (peer) arrive(peer, message);
}

export function closedByPage(id: number): void {
  const end = inPages.get(id);
  inPages.delete(id);
  if (end === undefined) return;
  end.isClosed = true;
  if (end.peer !== null) hangUp(end.peer);
}

/** A document that is gone takes its ports along. */
export function closePortsOf(windowId: number): void {
  for (const [id, end] of inPages) if (end.page?.windowId === windowId) closedByPage(id);
}
