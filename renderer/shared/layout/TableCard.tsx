import type { ReactNode } from 'react';
import layout from './layout.module.css';
import classes from './table.module.css';

export function TableCard({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section className={`${layout['card']} ${classes['card']}`} aria-label={label}>
      {children}
    </section>
  );
}
