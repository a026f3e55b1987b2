import { Headline } from '../../../shared/layout/Headline.tsx';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { asSentence } from '../../../shared/format/sentence.ts';
import { UseDefaults } from '../../../state/parts/UseDefaults.tsx';
import type { GraphState } from '../state/graph-store.ts';
import { useSession } from '../use-graph.ts';

export interface NotDrawnProps {
  readonly title: string;
  readonly failure: GraphState['failure'];
  readonly sentence: string;
}

export function NotDrawn({ title, failure, sentence }: NotDrawnProps) {
  const session = useSession();
  return (
    <Headline sentence={failure === null ? `Drawing ${title}…` : sentence}>
      {failure !== null && (
        <StatusLine
          kind="fault"
          action={{ title: 'Try again', run: () => void session.graph.again() }}
          more={failure.code === 'BAD_INPUT' && <UseDefaults message={failure.message} />}
        >
          {asSentence(failure.message)}
        </StatusLine>
      )}
    </Headline>
  );
}
