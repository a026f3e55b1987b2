import type { ReactNode } from 'react';
import classes from './learn.module.css';

export interface PrintedStep {
  readonly at: number;
  readonly text: string;
  readonly board: ReactNode;
}

export interface PrintedStepsProps {
  readonly all: number;
  readonly width: number;
  readonly height: number;
  readonly steps: readonly PrintedStep[];
}

export function PrintedSteps({ all, width, height, steps }: PrintedStepsProps) {
  return (
    <div className={classes['steps']} data-printed={steps.length}>
      {steps.map(({ at, text, board }) => (
        <figure key={at}>
          <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" fontSize={12}>
            {board}
          </svg>
          <figcaption>
            {at + 1} of {all}. {text}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}
