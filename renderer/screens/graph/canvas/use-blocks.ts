import { createContext, useContext } from 'react';

export const CloseBlockContext = createContext<(path: string) => void>(() => undefined);

export const useCloseBlock = (): ((path: string) => void) => useContext(CloseBlockContext);
