import { SegmentedControl, Select } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { oneOf, wholeNumber } from '../../../state/learn/page-state.ts';
import { usePage } from '../../../state/parts/use-page.ts';
import { identityOf } from '../../../state/strategies/identity.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { MAX_PLAYED } from '../model/games.ts';
import classes from './learn.module.css';

/** A value of the link, and the field that changes it. A change starts the play again. */
export interface Field<T> {
  readonly value: T;
  readonly set: (value: T) => void;
  readonly field: ReactNode;
}

/** Other values of the link that change with this one. */
type Also<T> = (value: T) => Readonly<Record<string, string | number | undefined>>;

function useSetter<T extends string | number>(name: string, also?: Also<T>): (value: T) => void {
  const { set } = usePage();
  return (value) => set({ at: undefined, ...also?.(value), [name]: value });
}

export interface SliderOptions {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly first: number;
  /** As shown and read out; the number itself where not given. */
  readonly text?: (value: number) => string;
  readonly also?: Also<number>;
}

export function useSlider(name: string, options: SliderOptions): Field<number> {
  const { label, min, max, first, text = String, also } = options;
  const id = useId();
  const value = wholeNumber(usePage().params[name], min, max, first);
  const set = useSetter(name, also);
  const field = (
    <div className={classes['slider']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={1}
        value={value}
        aria-valuetext={text(value)}
        onChange={(event) => set(Number(event.currentTarget.value))}
      />
      <output htmlFor={id}>{text(value)}</output>
    </div>
  );
  return { value, set, field };
}

/** Length of a chain that is played. */
export const useLayers = (first: number, options: Partial<SliderOptions> = {}): Field<number> =>
  useSlider('n', { label: 'Layers', min: 2, max: MAX_PLAYED, first, ...options });

export interface ChoiceOptions<T extends string> {
  readonly label: string;
  readonly titles: Readonly<Record<T, string>>;
  readonly first: NoInfer<T>;
  readonly also?: Also<T>;
}

export function useChoice<T extends string>(name: string, options: ChoiceOptions<T>): Field<T> {
  const { label, titles, first, also } = options;
  const all = Object.keys(titles) as T[];
  const value = oneOf(usePage().params[name], all, first);
  const set = useSetter(name, also);
  const data = all.map((one) => ({ value: one, label: titles[one] }));
  const field = (
    <SegmentedControl
      className={classes['choice']!}
      size="sm"
      aria-label={label}
      value={value}
      onChange={set}
      data={data}
    />
  );
  return { value, set, field };
}

export function useStrategy(
  strategies: readonly { readonly name: string; readonly title: string }[],
  first: string,
): Field<string> {
  const names = strategies.map(({ name }) => name);
  const value = oneOf(usePage().params['by'], names, first);
  const set = useSetter<string>('by');
  const titled = strategies.map(({ name, title }) => identityOf(name, title));
  const field = (
    <Select
      w={208}
      aria-label="Strategy"
      value={value}
      data={titled.map(({ name, title }) => ({ value: name, label: title }))}
      leftSection={<StrategyMark identity={titled.find(({ name }) => name === value)!} />}
      leftSectionWidth={44}
      onChange={(next) => set(next ?? first)}
    />
  );
  return { value, set, field };
}
