import { Button } from '@mantine/core';
import { useStore } from '../../shared/store.ts';
import { useWorkspace } from '../../state/workspace/use-workspace.ts';
import classes from './train.module.css';

/** Why runs are not kept, what became of the file, what was deleted and how to have it back. */
export function HistoryMessages() {
  const { history } = useWorkspace();
  const { problem, notice, said, deleted } = useStore(history);
  const [only] = deleted;
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
          <Button size="compact-sm" variant="default" onClick={history.dismiss}>
            Understood
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
          <Button size="compact-sm" variant="default" onClick={() => void history.undo()}>
            Undo
          </Button>
        </p>
      )}
    </>
  );
}
