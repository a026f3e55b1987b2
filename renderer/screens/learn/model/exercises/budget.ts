import { budgetSteps } from '../budgets.ts';
import { playWithSegments } from '../plays.ts';
import { exercise, counted } from './question.ts';

const within = exercise('budget.within', 'The least work that fits', (chance) => {
  const layers = chance.between(6, 14);
  const { most, trades } = budgetSteps(layers);
  const less = chance.between(1, 2);
  const trade = trades.find(({ budget }) => budget === most - less)!;
  const floor = trades[0]!;
  return {
    text: `Regular training of a chain of ${layers} layers takes ${most} pebbles. You have ${less === 1 ? 'one' : 'two'} less. How many forwards have to be repeated at least?`,
    hint: 'A tensor that is missing at the peak can be computed again from its input, if that was kept.',
    unit: 'forwards',
    value: trade.recomputes,
    because: `The dynamic programme fits into ${trade.budget} pebbles with ${trade.recomputes} repeated, and no plan it knows does with fewer.`,
    slips: [
      [0, 'without a repeat all tensors are there at the peak, and that is regular training.'],
      [layers, 'not the whole forward has to be repeated: only what is missing at the peak.'],
      [layers - 1, 'not the whole forward has to be repeated: only what is missing at the peak.'],
      [
        floor.recomputes,
        `that is what the smallest budget of ${floor.budget} pebbles takes; there are more.`,
      ],
    ],
  };
});

const LETTERS = ['A', 'B', 'C', 'D'] as const;

const front = exercise('budget.front', 'A plan that is beaten', (chance) => {
  const layers = chance.between(10, 24);
  const { trades } = budgetSteps(layers);
  const steps = trades.filter((trade, i) => i === 0 || trade.recomputes < trades[i - 1]!.recomputes);
  const kept = chance.some(steps, 3);
  const beside = chance.oneOf(kept.slice(0, -1));
  const beaten = {
    peak: beside.peak + chance.between(0, 1),
    recomputes: beside.recomputes + chance.between(1, 3),
  };
  const plans = chance.shuffled([...kept.map(({ peak, recomputes }) => ({ peak, recomputes })), beaten]);
  const beats = (a: typeof beaten, b: typeof beaten): boolean =>
    a !== b &&
    a.peak <= b.peak &&
    a.recomputes <= b.recomputes &&
    (a.peak < b.peak || a.recomputes < b.recomputes);
  return {
    text: `Four plans for a chain of ${layers} layers. Which does not lie on their Pareto front?`,
    hint: 'Look for a plan that another one beats in one figure without losing in the other.',
    options: plans.map((plan, i) => {
      const better = plans.findIndex((other) => beats(other, plan));
      return {
        text: `${LETTERS[i]}: ${plan.peak} pebbles, ${counted(plan.recomputes, 'forward')} repeated`,
        isRight: better >= 0,
        why:
          better >= 0
            ? `${LETTERS[better]} repeats ${plans[better]!.recomputes} and takes ${plans[better]!.peak}: ${LETTERS[i]} is beaten.`
            : `No other plan has less of one figure of ${LETTERS[i]} without more of the other.`,
      };
    }),
  };
});

const fraction = exercise('budget.fraction', 'How much is repeated', (chance) => {
  const k = chance.between(3, 6);
  const layers = k * chance.between(3, 5);
  const { recomputes } = playWithSegments(layers, k);
  const value = (100 * recomputes) / layers;
  return {
    text: `A chain of ${layers} layers of equal work keeps one tensor in every ${k}. One step runs ${layers + recomputes} forwards in all. What is its recompute fraction in percent?`,
    hint: 'Forward work that is done again, over the forward work of one step.',
    unit: 'percent',
    tolerance: 0.02,
    value,
    because: `${recomputes} of ${layers} forwards run again.`,
    slips: [
      [
        value / 3,
        'that is about the time overhead, where backward counts twice a forward; the fraction looks at forwards alone.',
      ],
      [
        (100 * (layers + recomputes)) / layers,
        'that counts the first forwards, too; only what is done again is asked for.',
      ],
      [(100 * recomputes) / (layers + recomputes), 'divide by the forwards of a step without recompute.'],
      [recomputes / layers, 'write it in percent.'],
    ],
  };
});

export const BUDGET_EXERCISES = [within, front, fraction];
