import { RPCHandler as PortHandler } from '@orpc/server/message-port';
import { RPCHandler as SocketHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import type { LabPort } from '../../app/contract/client.ts';
import type { LabRouter } from './router.ts';

/** Serves the lab over one started message port. A closed port aborts what it asked for. */
export function servePort(router: LabRouter, port: LabPort): void {
  new PortHandler(router).upgrade(port);
}

/** Serves the lab over one open WebSocket. A dropped socket aborts what it asked for. */
export function serveSocket(router: LabRouter, socket: WebSocket): void {
  void new SocketHandler(router).upgrade(socket);
}
