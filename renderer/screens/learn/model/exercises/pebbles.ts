import { predecessorsOf } from '../../../../../engine/graph/graph.ts';
import { needsOf } from '../../../../../engine/ops/memory-model.ts';
import { planFromCheckpoints } from '../../../../../engine/strategies/strategy/from-checkpoints.ts';
import type { Chance } from './chance.ts';
import { chainGame, type Game, gameOf, type GameName } from '../games.ts';
import { type Frame, NO_PEBBLE, playOf } from '../play.ts';
import { chainPlay, playedBy } from '../plays.ts';
import { exercise, type Drawing, listed, right, wrong, layerName } from './question.ts';

function gameDrawing(
  { problem: { graph }, places }: Game,
  summary: string,
  pebbles: readonly number[],
): Drawing {
  const all = Array.from({ length: graph.size }, (_, v) => v);
  return {
    summary,
    names: all.map(layerName),
    notes: all.map((v) => (isJoin(graph, v) ? 'join' : '')),
    places,
    edges: all.flatMap((v) => [...predecessorsOf(graph, v)].map((u): [number, number] => [u, v])),
    pebbles,
  };
}

const isJoin = (graph: Game['problem']['graph'], v: number): boolean => predecessorsOf(graph, v).length > 1;

const needs = exercise('pebbles.needs', 'What a backward needs', (chance) => {
  const game = gameOf('residual', 0);
  const { graph, memory } = game.problem;
  const layers = Array.from({ length: graph.size - 1 }, (_, i) => i + 1);
  const v = chance.oneOf(layers);
  const wanted = [...needsOf(memory, v)].sort((a, b) => a - b);
  const names = (vertices: readonly number[]): string => listed(vertices.map(layerName));
  const because =
    wanted.length === 0
      ? `f${v} is a sum: its gradient goes to both inputs unchanged, and no activation is needed.`
      : `The backward of layer f${v} multiplies with ${names(wanted)}: its input and its output.`;
  return {
    kind: 'placing',
    text: `Backward b${v} is about to run, and the gradient of f${v} is there. Mark every activation that has to be on the board. If it needs none, mark none.`,
    hint: 'The backward of a layer needs its input and its output; the backward of a sum needs neither.',
    drawing: gameDrawing(
      game,
      'Three residual blocks: two layers each, then a sum with the tensor that was skipped.',
      [],
    ),
    isOrdered: false,
    open: [0, ...layers],
    solution: () => (wanted.length === 0 ? because : `Mark ${names(wanted)}. ${because}`),
    judge: (marked) => {
      const missing = wanted.filter((u) => !marked.includes(u));
      const more = marked.filter((u) => !wanted.includes(u));
      if (missing.length + more.length === 0) return right(because);
      const said = [
        ...(more.length === 0
          ? []
          : [`${names(more)} ${more.length === 1 ? 'is' : 'are'} not needed by b${v}`]),
        ...(missing.length === 0
          ? []
          : [`${missing.length} that it needs ${missing.length === 1 ? 'is' : 'are'} not marked`]),
      ];
      return wrong(`${said.join(', and ')}.`);
    },
  };
});

/** A moment of a forward or a recompute with one possible forward among three impossible ones; null if none exists. */
function momentOf(game: Game, { pebbles }: Frame, chance: Chance) {
  const { graph } = game.problem;
  const free = Array.from({ length: graph.size - 1 }, (_, i) => i + 1).filter(
    (v) => pebbles[v] === NO_PEBBLE,
  );
  const lacking = (v: number): number[] =>
    [...predecessorsOf(graph, v)].filter((u) => pebbles[u] === NO_PEBBLE);
  const possible = free.filter((v) => lacking(v).length === 0);
  const impossible = free.filter((v) => lacking(v).length > 0);
  if (possible.length === 0 || impossible.length < 3) return null;
  return { lacking, options: [chance.oneOf(possible), ...chance.some(impossible, 3)] };
}

const next = exercise('pebbles.next', 'A move by the rules', (chance) => {
  const name: GameName = chance.oneOf(['residual', 'inception']);
  const game = gameOf(name, 0);
  const play = playedBy(name, 0, 'memory-poor');
  const moments = (typeof play === 'string' ? [] : play.frames).flatMap((frame) => {
    const moment = momentOf(game, frame, chance);
    return moment === null || frame.kind === 'backward' ? [] : [{ frame, ...moment }];
  });
  const { frame, lacking, options } = chance.oneOf(moments);
  const pebbles = [...frame.pebbles.keys()].filter((v) => frame.pebbles[v] !== NO_PEBBLE);
  return {
    text: 'Filled discs have a pebble. Which of these vertices can be computed now, with the pebbles on the board?',
    hint: 'Every input of the vertex needs a pebble; a sum has two or more inputs.',
    drawing: gameDrawing(game, `Pebbles lie on ${listed(pebbles.map(layerName))}.`, pebbles),
    options: chance.shuffled(
      options.map((v) => {
        const missing = lacking(v);
        const inputs = [...predecessorsOf(game.problem.graph, v)];
        return {
          text: layerName(v),
          isRight: missing.length === 0,
          why:
            missing.length === 0
              ? `f${v} reads ${listed(inputs.map(layerName))}, which has a pebble.`
              : `f${v} reads ${listed(missing.map(layerName))}, which has no pebble.`,
        };
      }),
    ),
  };
});

const again = exercise('pebbles.again', 'Computed again', (chance) => {
  const layers = chance.between(8, 20);
  const kept = chance.between(3, layers - 3);
  const { problem } = chainGame(layers);
  const play = playOf(problem, planFromCheckpoints(problem, { seed: 0 }, [kept]).schedule);
  const value = play.recomputes;
  const poor = chainPlay(layers, 'memory-poor').recomputes;
  const once = [...play.frames.at(-1)!.forwards].flatMap((count, v) => (v > 0 && count === 1 ? [v] : []));
  return {
    text: `A chain of ${layers} layers is cut in two by one checkpoint, f${kept}. The tensors inside both segments are freed during the forward pass, and recomputed once when backward gets there. How many forwards are repeated?`,
    hint: 'Which activations are in memory when backward begins? All others have to be recomputed.',
    unit: 'forwards',
    value,
    because: `All layers but ${listed(once.map(layerName))}: ${once.length === 2 ? 'the checkpoint and the output, which are' : 'what is'} never freed.`,
    slips: [
      [layers, 'some activations are never freed.'],
      [layers - 1, `f${kept} is not the only one in memory when backward begins: think of where it begins.`],
      [kept - 1, `those lie before f${kept}; some tensors after it were freed too.`],
      [kept, `f${kept} is kept, and some tensors after it were freed too.`],
      [layers - kept - 1, `those lie after f${kept}; the tensors before it were freed too.`],
      [layers - kept, `those lie after f${kept}; the tensors before it were freed too.`],
      [poor, 'that is memory-poor, which keeps nothing and restarts from the input every time.'],
    ],
  };
});

export const PEBBLES_EXERCISES = [next, needs, again];
