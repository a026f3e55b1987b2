import { Button } from '@mantine/core';
import { NoAccessError } from '../../app/contract/client.ts';
import classes from './frame.module.css';

/** In place of screens that would wait for answers which never come. */
export const NoAccess = () => (
  <main className={classes['noAccess']} role="alert">
    <h1>Open the lab first</h1>
    <p>{new NoAccessError().message}</p>
    <Button variant="default" size="sm" onClick={() => window.location.reload()}>
      Try again
    </Button>
  </main>
);
