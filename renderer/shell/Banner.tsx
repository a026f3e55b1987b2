import { Button } from '@mantine/core';
import { NoAccessError } from '../../app/contract/client.ts';
import { asSentence } from '../shared/format/sentence.ts';
import {
  useCatalog,
  useConnectionState,
  useLabView,
  useWorkspace,
} from '../state/workspace/use-workspace.ts';
import layout from '../shared/layout/layout.module.css';

/** What concerns the whole lab: a lost connection, a link that could not be read as it was. */
export function Banner() {
  const { catalog, experiment } = useWorkspace();
  const connection = useConnectionState();
  const { failure } = useCatalog();
  const { notices } = useLabView();

  if (connection === 'lost') {
    return (
      <div className={layout['banner']} role="alert">
        <span>The connection to the lab was lost; it is being set up again. Results on screen stay.</span>
        <Button size="compact-sm" variant="default" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </div>
    );
  }
  if (connection === 'refused') {
    return (
      <div className={layout['banner']} role="alert">
        <span>{new NoAccessError().message}</span>
      </div>
    );
  }
  if (failure !== null) {
    return (
      <div className={layout['banner']} role="alert">
        <span>{asSentence(failure.message)}</span>
        <Button size="compact-sm" variant="default" onClick={() => void catalog.load()}>
          Try again
        </Button>
      </div>
    );
  }
  if (notices.length > 0) {
    return (
      <div className={layout['banner']} role="status">
        <span>{notices.join(' ')}</span>
        <Button size="compact-sm" variant="default" onClick={experiment.dismissNotices}>
          Understood
        </Button>
      </div>
    );
  }
  return null;
}
