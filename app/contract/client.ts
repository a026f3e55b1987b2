import { createORPCClient, DynamicLink, ORPCError } from '@orpc/client';
import { RPCLink as PortLink, type SupportedMessagePort } from '@orpc/client/message-port';
import { type LinkWebsocketClientOptions, RPCLink as SocketLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { type LabErrorCode, labErrors } from './errors.ts';
import type { LabContract } from './lab.ts';

/**
 * The lab as its faces call it. Streams are async iterators; pass `{ signal }` as the second argument
 * and abort it to cancel the work behind a call. Failures: see `failureOf`.
 */
export type LabClient = ContractRouterClient<LabContract>;

/** A started message port of any kind: a page's, Node's, Electron's main-process one. */
export type LabPort = SupportedMessagePort;
export type LabSocket = LinkWebsocketClientOptions['websocket'];
export type LabCarrier = { readonly port: LabPort } | { readonly websocket: LabSocket };

export type LabLink = PortLink<Record<never, never>> | SocketLink<Record<never, never>>;

/** The link over one carrier. Calls in flight reject when the carrier closes. */
export function createLabLink(carrier: LabCarrier): LabLink {
  if ('port' in carrier) return new PortLink({ port: carrier.port });
  return new SocketLink({ websocket: carrier.websocket });
}

/** A client over one carrier. A port must have been started (`port.start()`) by the caller. */
export function createLabClient(carrier: LabCarrier): LabClient {
  return createORPCClient(createLabLink(carrier));
}

/** A client whose every call asks for the carrier of the moment, so that it survives a reconnect. */
export function createRelayClient(linkOfTheMoment: (signal?: AbortSignal) => Promise<LabLink>): LabClient {
  return createORPCClient(new DynamicLink((options) => linkOfTheMoment(options.signal)));
}

/**
 * Why a call failed, for the screen. `ABORTED`: the caller's own signal; nothing is wrong.
 * `DISCONNECTED`: the carrier closed or could not be opened.
 */
export interface LabFailureView {
  readonly code: LabErrorCode | 'ABORTED' | 'DISCONNECTED';
  /** One sentence. */
  readonly message: string;
  /** Path to the fault in the input (BAD_INPUT only), for example `batch`; empty when it has none. */
  readonly path: string;
}

export const CONNECTION_LOST = 'The connection to the lab was lost. Reconnecting…';

/** The carrier went away, or never came. */
export class DisconnectedError extends Error {
  override readonly name = 'DisconnectedError';

  constructor(message = CONNECTION_LOST) {
    super(message);
  }
}

/** The lab is there, but answers pages with a key only. */
export class NoAccessError extends DisconnectedError {
  constructor() {
    super(
      'No access: this link lacks a valid access token. Open the address that "zigzag serve" printed, then this link again in the same browser.',
    );
  }
}

/**
 * Turns whatever a call or its stream threw into what a screen shows.
 *
 * @param signal the signal that was passed to the call, so that an abort is told from a dropped carrier
 */
export function failureOf(error: unknown, signal?: AbortSignal): LabFailureView {
  if (signal?.aborted) return { code: 'ABORTED', message: 'Cancelled.', path: '' };
  if (error instanceof ORPCError) {
    if (isLabErrorCode(error.code)) {
      const input = labErrors.BAD_INPUT.data.safeParse(error.data);
      return { code: error.code, message: error.message, path: input.success ? input.data.path : '' };
    }
    return { code: 'INTERNAL', message: error.message, path: '' };
  }
  if (error instanceof DisconnectedError) return { code: 'DISCONNECTED', message: error.message, path: '' };
  // Carriers throw these errors for calls in flight when they close.
  if (error instanceof Error && (error.name === 'AbortError' || /not open|closed/i.test(error.message))) {
    return { code: 'DISCONNECTED', message: new DisconnectedError().message, path: '' };
  }
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error), path: '' };
}

function isLabErrorCode(code: string): code is LabErrorCode {
  return Object.hasOwn(labErrors, code);
}
