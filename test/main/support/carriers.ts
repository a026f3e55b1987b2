import { MessageChannel, type MessagePort } from 'node:worker_threads';
import WebSocket from 'ws';
import { createLabClient, type LabClient } from '../../../app/contract/client.ts';
import {
  SESSION_PATH,
  SOCKET_PATH,
  SOCKET_PROTOCOL,
  TOKEN_PARAMETER,
  TOKEN_PROTOCOL_PREFIX,
} from '../../../app/contract/socket.ts';
import { servePort } from '../../../main/host/carriers.ts';
import { createLabRouter } from '../../../main/host/router.ts';
import type { LabServices } from '../../../main/host/services.ts';
import { type LabServer, serveLab } from '../../../main/serve/server.ts';

/** One client of a lab over some carrier. */
export interface Carried {
  readonly client: LabClient;
  /** Cuts the carrier off, as a closed tab or a crashed page does. */
  drop(): void;
  close(): Promise<void>;
}

export type Carrier = (services: LabServices) => Promise<Carried>;

/** Two ports of one channel in this very process. */
const inMemory: Carrier = async (services) => {
  const { port1, port2 } = new MessageChannel();
  servePort(createLabRouter(services), port1);
  return overPort(port2, () => port1.close());
};

/** Electron's MessagePortMain as far as it is used: `on`, an event with `data`, explicit `start`. */
export class StandInPortMain {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  on(event: string, listener: (event?: { data: unknown }) => void): this {
    if (event === 'close') this.#port.on('close', () => listener());
    else if (event === 'message') this.#port.on('message', (data: unknown) => listener({ data }));
    return this;
  }

  postMessage(data: unknown): void {
    this.#port.postMessage(data);
  }

  start(): void {
    this.#port.start();
  }

  close(): void {
    this.#port.close();
  }
}

const desktop: Carrier = async (services) => {
  const { port1, port2 } = new MessageChannel();
  const main = new StandInPortMain(port1);
  servePort(createLabRouter(services), main);
  main.start();
  return overPort(port2, () => port1.close());
};

function overPort(port: MessagePort, close: () => void): Carried {
  // Node's port differs from the page's in the types of its events alone.
  const client = createLabClient({ port: port as unknown as globalThis.MessagePort });
  port.start();
  return {
    client,
    drop: () => port.close(),
    async close() {
      port.close();
      close();
    },
  };
}

const webSocket: Carrier = async (services) => {
  const server = await serveLab({ services, pageRoot: import.meta.dirname });
  const socket = await openSocket(server);
  return {
    client: createLabClient({ websocket: socket as unknown as globalThis.WebSocket }),
    drop: () => socket.terminate(),
    async close() {
      socket.terminate();
      await server.close();
    },
  };
};

/** Exchanges the key of an address as the page does; null where it is refused. */
export async function sessionOf(address: string): Promise<string | null> {
  const { origin, searchParams } = new URL(address);
  const headers = { origin, authorization: `Bearer ${searchParams.get(TOKEN_PARAMETER)}` };
  const answer = await fetch(`${origin}${SESSION_PATH}`, { method: 'POST', headers });
  return answer.ok ? (await answer.text()).trim() : null;
}

/** A WebSocket as the page of that server opens it. */
export async function openSocket({ url: address }: Pick<LabServer, 'url'>): Promise<WebSocket> {
  const url = new URL(address);
  const protocols = [SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX + (await sessionOf(address))];
  return new WebSocket(`ws://${url.host}${SOCKET_PATH}`, protocols, { origin: url.origin });
}

export const CARRIERS: readonly (readonly [string, Carrier])[] = [
  ['in memory', inMemory],
  ['WebSocket', webSocket],
  ['a stand-in for MessagePortMain', desktop],
];
