// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { LimitsEvent, LimitsRequest } from '../../../../app/contract/limits.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { limitsEvents } from '../../../../main/solver/limits.ts';
import { SolverMemory } from '../../../../main/solver/memory.ts';
import { LimitsHeadline } from '../../../../renderer/screens/limits/headline/LimitsHeadline.tsx';
import { useLimitsView } from '../../../../renderer/screens/limits/use-limits.ts';
import { until } from '../../support/fake-lab.ts';
import { renderLab } from '../../support/render-lab.tsx';

const LINK = '#/limits?model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal';

function Head() {
  return <LimitsHeadline view={useLimitsView()} />;
}

/** The solver's events, the next one whenever a test asks for it. */
function stepped() {
  const waiting: (() => void)[] = [];
  async function* limits(request: LimitsRequest): AsyncGenerator<LimitsEvent> {
    const events: LimitsEvent[] = [];
    const emit = (event: LimitsEvent): void => void events.push(event);
    limitsEvents(
      { ...request, largestInput: false },
      { memory: new SolverMemory(), control: NO_CONTROL, emit },
    );
    for (const event of events) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      yield event;
    }
  }
  const next = async (): Promise<void> => {
    await until(() => waiting.length > 0);
    waiting.shift()?.();
  };
  return { limits: async (request: LimitsRequest) => limits(request), next };
}

it('shows progress from the start, can be cancelled, and has the solver for itself', async () => {
  const { limits, next } = stepped();
  const compared: AbortSignal[] = [];
  const compare = async (_input: never, { signal }: { readonly signal: AbortSignal }) => {
    compared.push(signal);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  };
  const { user } = await renderLab(<Head />, { link: LINK, answers: { limits, compare } as never });
  await screen.findByText('Waiting for the solver');
  const bar = (): number =>
    Number(screen.getByRole('progressbar', { name: 'Limits solved' }).getAttribute('aria-valuenow'));
  expect(bar()).toBe(0);
  // Requests of Compare, which is not in front, do not keep it waiting.
  await until(() => compared.length > 0 && compared.every(({ aborted }) => aborted));
  await next();
  await next();
  await screen.findByText(/^Solving Regular \(1 of 3\)/);
  await next();
  await next();
  await screen.findByText(/^Solving Chen .* \(2 of 3\)/);
  expect(bar()).toBeCloseTo(100 / 3);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Cancelled. The strategies solved before stay.');
  // The solver is free again.
  await until(() => compared.some(({ aborted }) => !aborted));
});
