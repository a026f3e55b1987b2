import type { ComponentProps } from 'react';
import classes from './layout.module.css';

export function LinkButton(props: Omit<ComponentProps<'button'>, 'type' | 'className'>) {
  return <button type="button" className={classes['link']} {...props} />;
}
