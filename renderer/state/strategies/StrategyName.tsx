import type { ReactNode } from 'react';
import layout from '../../shared/layout/layout.module.css';
import type { StrategyIdentity } from './identity.ts';
import { StrategyMark } from './StrategyMark.tsx';

export interface StrategyNameProps {
  readonly identity: StrategyIdentity;
  readonly children?: ReactNode;
}

export const StrategyName = ({ identity, children }: StrategyNameProps) => (
  <span className={layout['named']}>
    <StrategyMark identity={identity} />
    {identity.title}
    {children}
  </span>
);
