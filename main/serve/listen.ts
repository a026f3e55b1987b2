import type { Server } from 'node:http';
import { BadInputError } from '../../engine/errors.ts';

const HIGHEST_PORT = 65535;

/**
 * Listens on 127.0.0.1, never on another interface.
 *
 * @param port a free one if absent or 0 @returns the port @throws BadInputError if the port is invalid, in use or not
 *   permitted
 */
export async function listen(server: Server, port?: number): Promise<number> {
  if (port !== undefined && !(Number.isSafeInteger(port) && port >= 0 && port <= HIGHEST_PORT)) {
    throw new BadInputError(`--port: expected a whole number from 0 to ${HIGHEST_PORT}, got ${port}`);
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, port)));
    server.listen({ host: '127.0.0.1', port: port ?? 0, exclusive: true }, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : (port ?? 0);
}

function explained(error: NodeJS.ErrnoException, port: number | undefined): Error {
  const otherwise = 'choose another with --port or leave it out';
  if (error.code === 'EADDRINUSE') return new BadInputError(`port ${port} is in use; ${otherwise}`);
  if (error.code === 'EACCES') return new BadInputError(`you may not open port ${port}; ${otherwise}`);
  return error;
}
