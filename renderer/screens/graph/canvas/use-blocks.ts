import { createContext, useContext } from 'react';

/** How a frame closes its block: the screen knows which blocks are open. */
export const CloseBlockContext = createContext<(path: string) => void>(() => undefined);

export const useCloseBlock = (): ((path: string) => void) => useContext(CloseBlockContext);
