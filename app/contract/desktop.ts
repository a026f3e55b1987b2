/** How the desktop's preload script hands the lab's message port to the page. */

/** Data of the window message that carries the port, and name of the channel behind it. */
export const PORT_MESSAGE = 'zigzag:port';
/** Channel on which the page asks the shell for a port. */
export const PORT_REQUEST = 'zigzag:request-port';
/** Name under which the preload script exposes itself on `window`. */
export const BRIDGE_NAME = 'zigzagDesktop';

/** All that the preload script exposes. The port arrives as a `message` event of the window. */
export interface DesktopBridge {
  requestPort(): void;
}

/** Channel on which the shell hands its port to the trainer's hidden window, and data of the message that carries it. */
export const TRAINER_PORT_MESSAGE = 'zigzag:trainer-port';
