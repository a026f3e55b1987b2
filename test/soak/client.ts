import { setTimeout as pause } from 'node:timers/promises';
import { createLabClient, failureOf, type LabClient } from '../../app/contract/client.ts';
import { openSocket } from '../main/support/carriers.ts';
import { chance, createRng, pick, type Rng } from '../support/rng.ts';
import { ACTIONS } from './actions.ts';

/** Actions of all clients, and their faults. */
export interface Tally {
  readonly done: Map<string, number>;
  readonly faults: string[];
}

/** A page that is not there: the contract's own client over a WebSocket. */
interface Carried {
  readonly lab: LabClient;
  close(): void;
  /** Cuts the line, as a machine that goes to sleep does. */
  cut(): void;
}

/** Exchanges the key and opens a socket, as a page that is loaded does. */
export async function connect(address: string): Promise<Carried> {
  const socket = await openSocket({ url: address });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  const lab = createLabClient({ websocket: socket as unknown as globalThis.WebSocket });
  return { lab, close: () => socket.close(), cut: () => socket.terminate() };
}

/** Goes on until it is time, as somebody who loads the page, does a few things, and loads it again. */
export async function visit(address: string, seed: number, signal: AbortSignal, tally: Tally): Promise<void> {
  const rng = createRng(seed);
  while (!signal.aborted) {
    const page = await connect(address);
    count(tally, 'load the page');
    for (let left = 1 + rng.below(8); left > 0 && !signal.aborted; left--) {
      await act(page.lab, rng, signal, tally);
      await pause(rng.below(100));
    }
    await depart(page, rng, tally);
  }
}

async function act(lab: LabClient, rng: Rng, over: AbortSignal, tally: Tally): Promise<void> {
  const name = pick(rng, Object.keys(ACTIONS));
  // One of its own: a call that is over leaves nothing at a signal that lives on.
  const control = new AbortController();
  const stop = (): void => control.abort();
  over.addEventListener('abort', stop, { once: true });
  try {
    await ACTIONS[name]?.({ lab, rng, signal: control.signal });
    count(tally, name);
  } catch (error) {
    const { code, message } = failureOf(error, control.signal);
    // Another client trains, which a page is told.
    if (code === 'BUSY') count(tally, 'train: busy');
    else if (code !== 'ABORTED') tally.faults.push(`${name}: ${code}: ${message}`);
  } finally {
    over.removeEventListener('abort', stop);
  }
}

/** Closed at rest, closed in the middle of a call, or cut off in the middle of one. */
async function depart({ lab, close, cut }: Carried, rng: Rng, tally: Tally): Promise<void> {
  if (chance(rng, 0.5)) return close();
  const experiment = { model: 'densenet161', batch: 8, strategies: ['regular', 'live'] };
  const asked = lab.compare(experiment).then(
    async (events) => {
      for await (const _ of events);
    },
    () => undefined,
  );
  await pause(rng.below(200));
  if (chance(rng, 0.5)) close();
  else cut();
  await asked.catch(() => undefined);
  count(tally, 'leave in the middle');
}

function count({ done }: Tally, what: string): void {
  done.set(what, (done.get(what) ?? 0) + 1);
}
