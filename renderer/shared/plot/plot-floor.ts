import { createContext } from 'react';

/** The lower end of the logarithmic axis around it, where lines end that go below; null of a linear one. */
export const PlotFloor = createContext<number | null>(null);
