import { Headline } from '../../../shared/layout/Headline.tsx';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { asSentence } from '../../../shared/format/sentence.ts';
import { UseDefaults } from '../../../state/parts/UseDefaults.tsx';
import type { GraphState } from '../state/graph-store.ts';
import { useSession } from '../use-graph.ts';

export interface NotDrawnProps {
  /** Of the network. */
  readonly title: string;
  readonly failure: GraphState['failure'];
  /** What there is not, where it failed. */
  readonly sentence: string;
}

/** The headline while a network's drawing is awaited, or why there is none. */
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
