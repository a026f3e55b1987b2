/** How the desktop's preload script hands the lab's message port to the page. */

/** Data of the window message that carries the port, and name of the channel behind it. */
export const PORT_MESSAGE = 'zigzag:port';
/** Channel on which the page asks the shell for a port. */
export const PORT_REQUEST = 'zigzag:request-port';
/** Name under which the preload script exposes itself on `window`. */
export const BRIDGE_NAME = 'zigzagDesktop';

/** Channel on which the shell tells the page what was asked of the program from outside it, and key of the message. */
export const TOLD = 'zigzag:told';
/** Channel on which the page says that it listens now; what was asked before waits for it. */
export const LISTENING = 'zigzag:listening';

/** All that the preload script exposes. What it hears arrives as a `message` event of the window. */
export interface DesktopBridge {
  requestPort(): void;
  /** From now on what the program is asked for is told; what it was asked before is told at once. */
  listen(): void;
}

/** Channel on which the shell hands its port to the trainer's hidden window, and data of the message that carries it. */
export const TRAINER_PORT_MESSAGE = 'zigzag:trainer-port';
