import type { ReactNode } from 'react';
import type { HeadlinePart } from '../../../app/report/headline-part.ts';
import classes from './layout.module.css';

export interface HeadlineProps {
  readonly sentence: ReactNode;
  readonly live?: 'polite' | 'off';
  readonly busy?: boolean;
  readonly children: ReactNode;
  readonly tools?: ReactNode;
}

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
