import type { ReactNode } from 'react';
import type { HeadlinePart } from '../../../app/report/headline-part.ts';
import classes from './layout.module.css';

export interface HeadlineProps {
  readonly sentence: ReactNode;
  /** How a change of the sentence is said. */
  readonly live?: 'polite' | 'off';
  /** While there is more to come. */
  readonly busy?: boolean;
  /** The line below the sentence. */
  readonly children: ReactNode;
  /** What can be done with the whole, at the right. */
  readonly tools?: ReactNode;
}

/** The one sentence that a screen is about, and a line below it. */
export function Headline({ sentence, live, busy, children, tools }: HeadlineProps) {
  return (
    <section className={classes['headline']} aria-label="Result">
      <div>
        <h1 aria-live={live} aria-busy={busy}>
          {sentence}
        </h1>
        {children}
      </div>
      {tools}
    </section>
  );
}

/** @param markOf the line before a strategy's name */
export function headlineParts<Part extends HeadlinePart>(
  parts: readonly Part[],
  markOf?: (part: Part) => ReactNode,
): ReactNode {
  return parts.map((part, i) => {
    const Tag = part.role === 'text' ? 'span' : 'b';
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
      <Tag key={i} className={part.role === 'strategy' ? classes['strategy'] : undefined}>
        {part.role === 'strategy' && markOf?.(part)}
        {part.text}
      </Tag>
    );
  });
}
