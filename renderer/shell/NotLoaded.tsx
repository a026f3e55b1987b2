import { Button } from '@mantine/core';
import classes from './frame.module.css';

/** In place of a screen whose file could not be fetched. */
export function NotLoaded() {
  return (
    <div className={classes['notLoaded']} role="alert">
      <p>
        This screen could not be loaded: the lab was stopped or renewed meanwhile. Start it and load the page
        again.
      </p>
      <Button variant="default" onClick={() => window.location.reload()}>
        Load the page again
      </Button>
    </div>
  );
}
