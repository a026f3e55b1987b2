import { expect, it } from 'vitest';
import { identityOf } from '../../../../renderer/state/strategies/identity.ts';
import { STRATEGIES } from '../../../../engine/strategies/registry.ts';

it('gives every strategy of the engine its own look', () => {
  const looks = STRATEGIES.map(({ name }) => {
    const { color, dash } = identityOf(name);
    return `${color} ${dash ?? 'solid'}`;
  });
  expect(new Set(looks).size).toBe(looks.length);
});

it('keeps the colours of the papers’ figures: ours green, Chen’s red', () => {
  expect(identityOf('optimal')).toMatchObject({ color: 'green', dash: undefined });
  expect(identityOf('chen-sqrt').color).toBe('vermilion');
});

it('shortens titles, and gives unknown names a stable look', () => {
  expect(identityOf('optimal', 'Optimal (ACG solver)').title).toBe('Optimal');
  expect(identityOf('new-one')).toEqual(identityOf('new-one'));
});
