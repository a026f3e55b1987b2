import { type ComboboxItem, Select } from '@mantine/core';
import { useState } from 'react';
import type { DivisionNode } from '../../../../engine/paper/division-tree.ts';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import { wholeNumber } from '../../../state/learn/page-state.ts';
import { usePage } from '../../../state/parts/use-page.ts';
import { DECOMPOSED_TITLES, decomposed, partsWithout } from '../model/decompositions.ts';
import {
  faultSentence,
  FIGURE_SKETCHES,
  nameOf,
  readChosen,
  type Sketch,
  SKETCHES,
  verdictOf,
  verticesUnder,
} from '../model/independence.ts';
import { BagsPicture } from '../parts/BagsPicture.tsx';
import { useChoice } from '../parts/fields.tsx';
import classes from '../parts/learn.module.css';
import { LessonPage, Paragraphs } from '../parts/LessonPage.tsx';
import { SketchPicture } from '../parts/SketchPicture.tsx';
import { TreeList } from '../parts/TreeList.tsx';

const FIRST = SKETCHES[2]!;

const choiceOf = ({ name, title }: Sketch): ComboboxItem => ({ value: name, label: title });

export function BranchesLesson() {
  const { params, set } = usePage();
  const sketch = [...SKETCHES, ...FIGURE_SKETCHES].find(({ name }) => name === params['graph']) ?? FIRST;
  const chosen = readChosen(params['kept'] ?? (sketch === FIRST ? 'd' : ''), sketch);
  const verdict = verdictOf(sketch, chosen);
  const [pointed, setPointed] = useState<DivisionNode | null>(null);
  const keep = (vertices: readonly number[]): void =>
    set({
      kept: vertices
        .toSorted((a, b) => a - b)
        .map(nameOf)
        .join(''),
    });
  const { optimum, given } = sketch;
  return (
    <LessonPage
      lead="In a network with branches, not every tensor is a good place to cut. The part between checkpoints has to be an [independent segment](independent-segment): it starts at one tensor, ends in one, and has no edge to anything else. Only then can it be recomputed alone."
      fields={
        <>
          <Select
            w={240}
            aria-label="Graph"
            value={sketch.name}
            onChange={(graph) => set({ graph: graph ?? undefined, kept: '' })}
            data={[
              { group: 'Examples', items: SKETCHES.map(choiceOf) },
              { group: 'Figures of CVPR 2021', items: FIGURE_SKETCHES.map(choiceOf) },
            ]}
          />
          <LinkButton onClick={() => keep(optimum.checkpoints)}>Place the optimum</LinkButton>
          {given !== undefined && (
            <LinkButton onClick={() => keep(given.choice.checkpoints)}>
              Place the checkpoints for C = {given.maxTerm}
            </LinkButton>
          )}
          <LinkButton disabled={chosen.length === 0} onClick={() => keep([])}>
            Remove all
          </LinkButton>
        </>
      }
      text={[
        `${sketch.note} Click a vertex to keep it. Vertices of the same shade form one segment. A red part is not independent; the sentence below names the edge that crosses its border.`,
        'There are three kinds of independent segments. A [linear](linear) one is split by a vertex. A [branch](branch) consists of parts that run side by side. The papers call everything else [complicate](complicate). Dividing every segment again and again gives the [division tree](division-tree), which is unique.',
        'The optimum is found on this tree. A segment that fits into C stays whole; a larger one is divided. A linear segment is solved as in lesson 5. Where no single tensor cuts well, several tensors together may: this is a [lower set](lower-set), and this lab’s live strategy cuts there.',
      ]}
      more={<Bags />}
      tries={[
        {
          text: 'Walk through the division tree of a real network with branches inside branches.',
          action: 'Open the tree of Inception-v3',
          screen: 'graph',
          experiment: { model: 'inceptionv3', batch: 32, strategies: ['regular', 'chen-sqrt', 'optimal'] },
          view: { panel: 'division' },
        },
      ]}
    >
      <div className={classes['wide']}>
        <SketchPicture
          sketch={sketch}
          chosen={chosen}
          verdict={verdict}
          bright={pointed === null ? null : verticesUnder(pointed)}
          onToggle={(v) => keep(chosen.includes(v) ? chosen.filter((one) => one !== v) : [...chosen, v])}
        />
        <TreeList root={sketch.tree} names={sketch.names} onPoint={setPointed} />
      </div>
      <p className={classes['reading']} role="status" data-fault={!verdict.ok || undefined}>
        {verdict.ok ? (
          <>
            Checkpoints {verdict.checkpointCost} + largest segment {verdict.maxTerm} ={' '}
            <strong>Eq. 2 of {verdict.cost}</strong>
            {verdict.cost === optimum.cost
              ? ', the minimum.'
              : `; the minimum is ${optimum.cost}, ringed green.`}
          </>
        ) : (
          faultSentence(verdict, sketch.names)
        )}
      </p>
    </LessonPage>
  );
}

function Bags() {
  const { params, set } = usePage();
  const { value: name, field } = useChoice('net', {
    label: 'Network to decompose',
    titles: DECOMPOSED_TITLES,
    first: 'towers',
    also: () => ({ bag: undefined }),
  });
  const of = decomposed(name);
  const usual = of.bags.findIndex(({ vertices }) => partsWithout(of.tensors, vertices).length > 1);
  return (
    <>
      <div className={classes['fields']}>{field}</div>
      <BagsPicture
        title={`Tree decomposition: ${DECOMPOSED_TITLES[name].toLowerCase()}`}
        of={of}
        bag={wholeNumber(params['bag'], 0, of.bags.length - 1, Math.max(0, usual))}
        onBag={(bag) => set({ bag })}
      />
      <Paragraphs
        text={[
          'A square is a tensor that cuts the network by itself. A disc is a bad checkpoint, because another path leads around it. Two towers have no square at all. Now merge tensors into bags until the bags form a tree: each edge lies in some bag, and the bags of each tensor are connected. Then every bag inside the tree cuts the network, as a single tensor cuts a chain.',
          `Here the largest bag holds ${of.largestBag}: [treewidth](treewidth) ${of.isExact ? '' : 'at most '}${of.largestBag - 1}, by the usual definition one less than the size of that bag${of.isExact ? '. No tree has smaller bags' : ''}. OpenAI’s article counts the bag itself. While bags stay small, dynamic programming over the tree stays fast, and most networks are almost trees.`,
        ]}
      />
    </>
  );
}
