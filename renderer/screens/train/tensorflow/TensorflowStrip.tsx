import { Button } from '@mantine/core';
import { useStore } from '../../../shared/store.ts';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { useKept } from '../../../state/workspace/use-workspace.ts';
import { addingText, addTitle, missingSentence } from './tensorflow-sentence.ts';
import { tensorflowSession } from './tensorflow-session.ts';
import classes from '../train.module.css';

export function TensorflowStrip() {
  const session = useKept(tensorflowSession);
  const { there, adding, said } = useStore(session);
  if (adding !== null) {
    const { text, share } = addingText(adding.at);
    return (
      <div className={classes['strip']}>
        <StatusLine
          progress={{ share: share ?? 0, label: 'Progress of adding TensorFlow' }}
          action={{ title: 'Cancel', run: session.cancel }}
        >
          <span>{text}</span>
        </StatusLine>
      </div>
    );
  }
  const add = there?.add ?? null;
  return (
    <div className={classes['strip']}>
      {said !== null && (
        <p role={said.isFault ? 'alert' : 'status'}>
          <span>{said.text}</span>
          <Button variant="default" onClick={session.dismiss}>
            Dismiss
          </Button>
        </p>
      )}
      {there !== null && (add !== null || there.instead !== null) && (
        <p>
          <span>{missingSentence(there)}</span>
          {add !== null && (
            <Button variant="default" onClick={() => void session.add()}>
              {addTitle(add)}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
