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
      lead="With branches not every tensor is a good place to cut. What lies between checkpoints has to be an [independent segment](independent-segment): one tensor to start from, one to end in, and no edge to anything else. Only then can it be computed again alone."
      fields={
        <>
          <Select
            size="sm"
            w={240}
            aria-label="Graph"
            value={sketch.name}
            allowDeselect={false}
            onChange={(graph) => set({ graph: graph ?? undefined, kept: '' })}
            data={[
              { group: 'Examples', items: SKETCHES.map(choiceOf) },
              { group: 'Figures of CVPR 2021', items: FIGURE_SKETCHES.map(choiceOf) },
            ]}
          />
          <LinkButton onClick={() => keep(optimum.checkpoints)}>Place the optimum</LinkButton>
          {given !== undefined && (
            <LinkButton onClick={() => keep(given.choice.checkpoints)}>
              Place the choice at C = {given.maxTerm}
            </LinkButton>
          )}
          <LinkButton disabled={chosen.length === 0} onClick={() => keep([])}>
            Take all away
          </LinkButton>
        </>
      }
      text={[
        `${sketch.note} Click a vertex to keep it. Vertices of one shade are one segment; a red part is not independent, and the sentence says which edge crosses its border.`,
        'Every independent segment is of one of three kinds: [linear](linear), where a vertex splits it; [branch](branch), where parts run side by side; and [complicate](complicate), the papers’ word for everything else. Dividing each one again gives the [division tree](division-tree), and there is only one.',
        'The optimum is found on the tree: a segment that fits into C stays whole, another is divided, and runs of a linear one are solved as in lesson 5. Where no single tensor cuts well, several together may: a [lower set](lower-set), which is how this lab’s live strategy cuts.',
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
              ? ', the least there is.'
              : `; the least is ${optimum.cost}, ringed green.`}
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
    label: 'Network in bags',
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
          'A square is a tensor that cuts the network alone; a round one makes a bad checkpoint, since another path leads around it. Two towers have none. Merge tensors into bags until the bags form a tree, each edge in some bag and the bags of each tensor connected. Then every bag that is no end cuts the network, as one tensor cuts a chain.',
          `Here the largest bag holds ${of.largestBag}: [treewidth](treewidth) ${of.isExact ? '' : 'at most '}${of.largestBag - 1}, by the usual definition one less than the bag${of.isExact ? ', and no tree has smaller bags' : ''}. OpenAI’s article counts the bag itself. Where bags stay small, dynamic programming over the tree stays fast; networks are almost trees.`,
        ]}
      />
    </>
  );
}
