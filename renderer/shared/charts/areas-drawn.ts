import { createContext } from 'react';

/** Whether the chart around it draws areas: on a logarithmic axis it draws lines alone. */
export const AreasDrawn = createContext(true);
