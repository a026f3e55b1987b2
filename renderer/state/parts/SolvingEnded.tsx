import type { ReactNode } from 'react';
import { asSentence } from '../../shared/format/sentence.ts';
import { StatusLine } from '../../shared/layout/StatusLine.tsx';

export interface SolvingEndedProps {
  /** Null where the user cancelled. */
  readonly failure: { readonly message: string } | null;
  readonly again: () => void;
  readonly more?: ReactNode;
}

/** The line of a search that failed or was cancelled, with a way on. */
export function SolvingEnded({ failure, again, more }: SolvingEndedProps) {
  const [kind, title] =
    failure === null ? (['work', 'Solve the rest'] as const) : (['fault', 'Try again'] as const);
  return (
    <StatusLine kind={kind} action={{ title, run: again }} more={more}>
      {failure === null ? 'Cancelled. The strategies solved before stay.' : asSentence(failure.message)}
    </StatusLine>
  );
}
