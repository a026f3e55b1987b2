import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import layout from '../../../shared/layout/layout.module.css';
import { Words } from '../../../state/parts/Words.tsx';
import classes from './learn.module.css';
import { Try, type TryProps } from './Try.tsx';

export interface LessonPageProps {
  /** As all texts of a lesson: `[words](term)` leads to the glossary. */
  readonly lead: string;
  readonly fields: ReactNode;
  /** Pictures, and the sentences that are read off them. */
  readonly children: ReactNode;
  readonly text: readonly string[];
  readonly more?: ReactNode;
  readonly tries: readonly TryProps[];
}

export function LessonPage({ lead, fields, children, text, more, tries }: LessonPageProps) {
  return (
    <>
      <Box component="p" fz={16} maw="88ch" lh="24px">
        <Words>{lead}</Words>
      </Box>
      <div className={classes['fields']}>{fields}</div>
      {children}
      <Paragraphs text={text} />
      {more}
      {tries.map((one) => (
        <Try key={one.action} {...one} />
      ))}
    </>
  );
}

/** Paragraphs in columns; an empty one is left out. */
export function Paragraphs({ text }: Pick<LessonPageProps, 'text'>) {
  return (
    <div className={classes['text']}>
      {text
        .filter((one) => one !== '')
        .map((one) => (
          <p key={one}>
            <Words>{one}</Words>
          </p>
        ))}
    </div>
  );
}

/** In the place of a picture that cannot be drawn. */
export function NoPicture({ children }: { readonly children: ReactNode }) {
  return (
    <div className={`${layout['card']} ${layout['empty']} ${classes['empty']}`} role="status">
      {children}
    </div>
  );
}
