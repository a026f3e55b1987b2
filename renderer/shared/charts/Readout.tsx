import type { ReactNode } from 'react';
import layout from '../layout/layout.module.css';
import classes from './charts.module.css';

export const Readout = ({ children }: { readonly children: ReactNode }) => (
  <div className={`${layout['note']} ${layout['cut']} ${classes['readout']}`} aria-hidden="true">
    {children}
  </div>
);
