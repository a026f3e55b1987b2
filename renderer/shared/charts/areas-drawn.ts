import { createContext } from 'react';

/** False on a logarithmic axis, which draws lines alone. */
export const AreasDrawn = createContext(true);
