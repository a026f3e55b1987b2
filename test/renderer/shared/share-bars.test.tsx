// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ShareBars } from '../../../renderer/shared/plot/ShareBars.tsx';

const bar = (title: string, measured: number, spread: [number, number]) =>
  ({ title, color: 'red', predicted: null, measured, label: title, spread }) as const;

it('bars of time overhead draws one below zero, whatever its spread', () => {
  const bars = [bar('faster', -0.05, [0.01, 0.2]), bar('slower', 0.05, [0.2, 0.01])];
  const { container } = render(<ShareBars bars={bars} width={400} height={60} />);
  expect(container.querySelectorAll('.recharts-bar-rectangle path')).toHaveLength(2);
});
