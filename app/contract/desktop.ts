/** How the desktop's preload script hands the lab's message port to the page. */

/** Data of the window message that carries the port, and name of the channel behind it. */
export const PORT_MESSAGE = 'zigzag:port';
/** Channel on which the page asks the shell for a port. */
export const PORT_REQUEST = 'zigzag:request-port';
/** Name under which the preload script exposes itself on `window`. */
export const BRIDGE_NAME = 'zigzagDesktop';

/** Channel on which the shell tells the page what was asked of the program from outside it. */
export const TOLD = 'zigzag:told';
/** Channel on which the page says that it listens now; what was asked before waits for it. */
export const LISTENING = 'zigzag:listening';

/** What the program was asked for by its menu, the system, or a second start of it. */
export type Told =
  /** An entry of the palette. */
  | { readonly kind: 'action'; readonly id: string }
  /** A file was opened with the lab. */
  | { readonly kind: 'file'; readonly name: string; readonly bytes: Uint8Array }
  /** A file could not be read: why, in a sentence. */
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string }
  /** A link to a view was followed: what is behind its `#`. */
  | { readonly kind: 'link'; readonly hash: string };

/** All that the preload script exposes. The port arrives as a `message` event of the window. */
export interface DesktopBridge {
  requestPort(): void;
  /** Takes what was told since the page was loaded, and what is told from now on. */
  listen(listener: (told: Told) => void): void;
}

/** Channel on which the shell hands its port to the trainer's hidden window, and data of the message that carries it. */
export const TRAINER_PORT_MESSAGE = 'zigzag:trainer-port';
