import { useCallback, useEffect, useMemo } from 'react';
import type { JudgedSet } from '../../../../app/contract/checkpoint-game.ts';
import type { LabFailureView } from '../../../../app/contract/client.ts';
import { type Stars, starsFor } from '../../../../engine/game/stars.ts';
import { type Game, gameOf } from '../../../state/game/game.ts';
import { follow, type GameLog, goTo, newLog } from '../../../state/game/game-log.ts';
import { gameSession } from '../../../state/game/game-session.ts';
import { NO_SCORE, type Score } from '../../../state/game/scores.ts';
import { readSet } from '../../../state/game/set-text.ts';
import { useStore } from '../../../shared/store.ts';
import { useKept, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { graphKey } from '../state/graph-store.ts';
import { idOfVertex, verticesOf } from '../state/paper-graph.ts';
import type { GraphModel } from '../use-graph.ts';
import {
  type Goals,
  goalsOf,
  isSameScore,
  type Known,
  measure,
  type Measured,
  scoreAfter,
  setOf,
} from './score-of.ts';
import type { GameTargets } from '../../../../app/contract/checkpoint-game.ts';

export interface Standing extends Measured {
  readonly costStars: Stars;
  readonly peakStars: Stars;
}

export interface GameView {
  readonly game: Game;
  readonly goals: Goals;
  readonly targets: GameTargets | null;
  readonly failure: LabFailureView | null;
  readonly judged: JudgedSet | undefined;
  readonly now: Standing;
  readonly best: Standing;
  readonly score: Score;
  readonly log: GameLog;
  /** The sender's result, computed here; `misfit` where it is no set of this network. */
  readonly rival: Standing | 'misfit' | null;
  readonly measureOf: (ids: readonly string[]) => Measured;
  readonly goTo: (at: number) => void;
  readonly clear: () => void;
  readonly forget: () => void;
  readonly reveal: () => void;
  readonly again: () => void;
}

export function useGame(model: GraphModel): GameView | null {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const session = useKept(gameSession);
  const { scores, targets: targetsStore, judgements, logs } = session;
  const { network, own, view } = model;
  const { paper } = network;
  const { batch } = experiment;
  const size = paper.tensors.size;
  const isDrawn = network.key === graphKey(experiment);
  const game = useMemo(() => gameOf(experiment), [experiment]);
  const ids = useMemo(() => own.map((v) => idOfVertex(paper, v)), [own, paper]);
  const score = useStore(scores, (all) => all.get(game.key) ?? NO_SCORE);
  const log = useStore(logs, (all) => all.get(game.key));
  const state = useStore(targetsStore);
  // An answer that came draws what it is about.
  useStore(judgements);

  // Searches may take seconds: the drawing comes first.
  useEffect(() => {
    if (isDrawn) void targetsStore.show(game);
  }, [targetsStore, game, isDrawn]);
  useEffect(() => {
    if (!isDrawn) return;
    const before = logs.get().get(game.key);
    const after = before === undefined ? newLog(ids) : follow(before, ids);
    if (after !== before) logs.set(new Map(logs.get()).set(game.key, after));
  }, [logs, game, ids, isDrawn]);

  const targets = state.shown?.key === game.key ? state.shown.targets : null;
  const goals = useMemo(() => goalsOf(paper, batch, targets), [paper, batch, targets]);
  const judge = (set: readonly number[]): JudgedSet | undefined =>
    isDrawn
      ? judgements.of(
          game,
          set.map((v) => idOfVertex(paper, v)),
        )
      : undefined;
  const judgeSafely = (set: readonly number[]): Measured => measure(paper, set, batch, judge(set));

  const judged = judge(own);
  const now = measure(paper, own, batch, judged);
  const costSet = setOf(score.cost, size);
  const peakSet = setOf(score.peak, size);
  const bestCost = costSet && judgeSafely(costSet).cost;
  const peakJudged = peakSet === null ? undefined : judge(peakSet);
  const bestPeak = peakSet && measure(paper, peakSet, batch, peakJudged).peak;
  const knownCost: Known = costSet === null || bestCost === null ? null : { set: costSet, bytes: bestCost };
  const knownPeak: Known | undefined =
    peakSet === null
      ? null
      : peakJudged === undefined
        ? undefined
        : bestPeak === null
          ? null
          : { set: peakSet, bytes: bestPeak };

  const next = isDrawn
    ? scoreAfter(score, { set: own, measured: now }, goals, { cost: knownCost, peak: knownPeak }, size)
    : score;
  useEffect(() => {
    if (!isSameScore(next, score)) scores.record(game.key, next);
  });

  const place = useCallback(
    (set: readonly string[]): void => store.change({ ...store.get().experiment, checkpoints: [...set] }),
    [store],
  );
  const show = (at: number): void => {
    const current = logs.get().get(game.key);
    if (current === undefined) return;
    const moved = goTo(current, at);
    logs.set(new Map(logs.get()).set(game.key, moved));
    place(moved.sets[moved.at] ?? []);
  };
  if (!isDrawn) return null;
  const stand = (measured: Measured): Standing => ({
    ...measured,
    costStars: starsFor(measured.cost, goals.cost),
    peakStars: goals.peak === null ? 0 : starsFor(measured.peak, goals.peak),
  });
  const rivalSet = view.rival === null ? null : readSet(view.rival, size);
  return {
    game,
    goals,
    targets,
    failure: state.failure,
    judged,
    now: stand(now),
    best: stand({ cost: bestCost, peak: bestPeak }),
    score,
    log: log ?? newLog(ids),
    rival: view.rival === null ? null : rivalSet === null ? 'misfit' : stand(judgeSafely(rivalSet)),
    measureOf: (set) => judgeSafely(verticesOf(paper, set)),
    goTo: show,
    clear: () => place([]),
    forget: () => {
      scores.forget(game.key);
      logs.set(new Map(logs.get()).set(game.key, newLog([])));
      place([]);
    },
    reveal: () => scores.record(game.key, { ...score, revealed: true }),
    again: () => void targetsStore.again(),
  };
}
