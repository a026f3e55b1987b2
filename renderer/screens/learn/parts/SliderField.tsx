import { useId } from 'react';
import classes from './learn.module.css';

export interface SliderFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** As shown and read out; the number itself where not given. */
  readonly text?: string;
  readonly onValue: (value: number) => void;
}

export function SliderField({ label, value, min, max, text = String(value), onValue }: SliderFieldProps) {
  const id = useId();
  return (
    <div className={classes['slider']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={1}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onValue(Number(event.currentTarget.value))}
      />
      <output htmlFor={id}>{text}</output>
    </div>
  );
}
