import type { StrategyIdentity } from '../../../app/report/strategy-looks.ts';

export { identityOf, type StrategyIdentity } from '../../../app/report/strategy-looks.ts';

export function colorOf(identity: Pick<StrategyIdentity, 'color'>): string {
  return `var(--zz-${identity.color})`;
}
