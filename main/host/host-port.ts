/** Messages to and from the program that started this process. */
export interface HostPort<Sent, Received> {
  send(message: Sent): void;
  onMessage(listener: (message: Received) => void): void;
}

/** Port that Electron gives to a utility process. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/**
 * The host of a child process of Node (browser mode, command line, tests) or of a utility process (desktop). A child
 * process ends with its host.
 *
 * @param onChild called in a child process of Node, which also receives the terminal's signals
 */
export function hostPort<Sent, Received>(onChild: () => void): HostPort<Sent, Received> {
  const { parentPort } = process as { readonly parentPort?: ParentPort };
  if (parentPort !== undefined) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data as Received)),
    };
  }
  process.on('disconnect', () => process.exit(0));
  onChild();
  return {
    // A host that is gone needs no answer; the disconnect ends this process.
    send: (message) => process.connected && process.send?.(message, () => undefined),
    onMessage: (listener) => process.on('message', (message) => listener(message as Received)),
  };
}
