import type { ComponentProps } from 'react';
import classes from './layout.module.css';

/** A button that reads as a part of its text. */
export function LinkButton(props: Omit<ComponentProps<'button'>, 'type' | 'className'>) {
  return <button type="button" className={classes['link']} {...props} />;
}
