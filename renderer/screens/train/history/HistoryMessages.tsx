import { Button } from '@mantine/core';
import { useStore } from '../../../shared/store.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import classes from '../train.module.css';

export function HistoryMessages() {
  const { history } = useWorkspace();
  const { problem, notice, said, deleted, evicted } = useStore(history);
  const [only] = deleted;
  const [gone] = evicted;
  const file = said?.file;
  return (
    <>
      {problem !== null && (
        <p className={classes['message']} role="alert">
          {problem}
        </p>
      )}
      {notice !== null && (
        <p className={classes['message']} role="status">
          {notice}
        </p>
      )}
      {said !== null && (
        <p className={classes['message']} role={said.isFault ? 'alert' : 'status'}>
          <span>{said.text}</span>
          {file !== undefined && (
            <Button variant="default" onClick={() => void history.importRuns(file, true)}>
              Import and remove them
            </Button>
          )}
          <Button variant="default" onClick={history.dismiss}>
            {file === undefined ? 'Close' : 'Cancel'}
          </Button>
        </p>
      )}
      {gone !== undefined && (
        <p className={classes['message']} role="status">
          <span>
            {evicted.length === 1
              ? `Run ${gone.number} was removed to make room for newer runs. It can be restored for a day.`
              : `${evicted.length} runs, the oldest, were removed to make room for newer ones. They can be restored for a day.`}
          </span>
          <Button variant="default" onClick={() => void history.restoreEvicted()}>
            Restore
          </Button>
          <Button variant="default" onClick={history.understood}>
            Dismiss
          </Button>
        </p>
      )}
      {only !== undefined && (
        <p className={classes['message']} role="status">
          <span>
            {deleted.length === 1
              ? `Run ${only.number} was deleted.`
              : `${deleted.length} runs were deleted.`}
          </span>
          <Button variant="default" onClick={() => void history.undo()}>
            Undo
          </Button>
        </p>
      )}
    </>
  );
}
