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
    text: `Regular training of a chain of ${layers} layers takes ${most} pebbles. You have ${less === 1 ? 'one' : 'two'} fewer. What is the smallest number of forwards to repeat?`,
    hint: 'A tensor that is missing at the peak can be recomputed from its input, if that was kept.',
    unit: 'forwards',
    value: trade.recomputes,
    because: `Dynamic programming fits into ${trade.budget} pebbles with ${trade.recomputes} repeated, and no plan that it considers repeats fewer.`,
    slips: [
      [0, 'without a repeat, all tensors are in memory at the peak; that is regular training.'],
      [layers, 'only the tensors missing at the peak have to be repeated, not the whole forward pass.'],
      [layers - 1, 'only the tensors missing at the peak have to be repeated, not the whole forward pass.'],
      [
        floor.recomputes,
        `that is the number for the smallest budget of ${floor.budget} pebbles; here you have more.`,
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
    text: `Four plans for a chain of ${layers} layers. Which one is not on their Pareto front?`,
    hint: 'Look for a plan that another plan beats in one figure and at least equals in the other.',
    options: plans.map((plan, i) => {
      const better = plans.findIndex((other) => beats(other, plan));
      return {
        text: `${LETTERS[i]}: ${plan.peak} pebbles, ${counted(plan.recomputes, 'forward')} repeated`,
        isRight: better >= 0,
        why:
          better >= 0
            ? `${LETTERS[better]} repeats ${plans[better]!.recomputes} and takes ${plans[better]!.peak}: ${LETTERS[i]} is beaten.`
            : `No other plan improves one figure of ${LETTERS[i]} without making the other worse.`,
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
    text: `A chain of ${layers} layers of equal work keeps one tensor in every ${k}. One step runs ${layers + recomputes} forwards in all. What is its recompute fraction, in percent?`,
    hint: 'Divide the recomputed forward work by the forward work of one step.',
    unit: 'percent',
    tolerance: 0.02,
    value,
    because: `${recomputes} of ${layers} forwards run again.`,
    slips: [
      [
        value / 3,
        'that is about the time overhead, if backward counts as two forwards; the fraction counts forwards only.',
      ],
      [
        (100 * (layers + recomputes)) / layers,
        'that counts the first forwards too; count only the recomputed ones.',
      ],
      [(100 * recomputes) / (layers + recomputes), 'divide by the forwards of a step without recompute.'],
      [recomputes / layers, 'write it in percent.'],
    ],
  };
});

export const BUDGET_EXERCISES = [within, front, fraction];
