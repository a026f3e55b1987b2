import { type ComboboxItem, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import type { DivisionNode } from '../../../../engine/paper/division-tree.ts';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import classes from '../parts/learn.module.css';
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
import { oneOf, wholeNumber } from '../../../state/learn/page-state.ts';
import {
  DECOMPOSED,
  DECOMPOSED_TITLES,
  decomposed,
  type DecomposedName,
  partsWithout,
} from '../model/decompositions.ts';
import { BagsPicture } from '../parts/BagsPicture.tsx';
import { SketchPicture } from '../parts/SketchPicture.tsx';
import { Term } from '../../../state/parts/Term.tsx';
import { TreeList } from '../parts/TreeList.tsx';
import { Try } from '../parts/Try.tsx';
import { usePage } from '../../../state/parts/use-page.ts';

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
      kept: [...vertices]
        .sort((a, b) => a - b)
        .map(nameOf)
        .join(''),
    });
  const { optimum, given } = sketch;
  return (
    <>
      <p className={classes['lead']}>
        With branches not every tensor is a good place to cut. What lies between checkpoints has to be an{' '}
        <Term id="independent-segment">independent segment</Term>: one tensor to start from, one to end in,
        and no edge to anything else. Only then can it be computed again alone.
      </p>
      <div className={classes['fields']}>
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
      </div>
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
      <div className={classes['text']}>
        <p>
          {sketch.note} Click a vertex to keep it. Vertices of one shade are one segment; a red part is not
          independent, and the sentence says which edge crosses its border.
        </p>
        <p>
          Every independent segment is of one of three kinds: <Term id="linear">linear</Term>, where a vertex
          splits it; <Term id="branch">branch</Term>, where parts run side by side; and{' '}
          <Term id="complicate">complicate</Term>, the papers’ word for everything else. Dividing each one
          again gives the <Term id="division-tree">division tree</Term>, and there is only one.
        </p>
        <p>
          The optimum is found on the tree: a segment that fits into C stays whole, another is divided, and
          runs of a linear one are solved as in lesson 5. Where no single tensor cuts well, several together
          may: a <Term id="lower-set">lower set</Term>, which is how this lab’s live strategy cuts.
        </p>
      </div>
      <Bags />
      <Try
        trial={{
          screen: 'graph',
          experiment: { model: 'inceptionv3', batch: 32, strategies: ['regular', 'chen-sqrt', 'optimal'] },
          view: { panel: 'division' },
        }}
        action="Open the tree of Inception-v3"
      >
        Walk through the division tree of a real network with branches inside branches.
      </Try>
    </>
  );
}

function Bags() {
  const { params, set } = usePage();
  const name = oneOf<DecomposedName>(params['net'], DECOMPOSED, 'towers');
  const of = decomposed(name);
  const usual = of.bags.findIndex(({ vertices }) => partsWithout(of.tensors, vertices).length > 1);
  const bag = wholeNumber(params['bag'], 0, of.bags.length - 1, Math.max(0, usual));
  const width = of.largestBag - 1;
  return (
    <>
      <div className={classes['fields']}>
        <SegmentedControl
          size="sm"
          aria-label="Network in bags"
          value={name}
          onChange={(net) => set({ net, bag: undefined })}
          data={DECOMPOSED.map((one) => ({ value: one, label: DECOMPOSED_TITLES[one] }))}
        />
      </div>
      <BagsPicture
        title={`Tree decomposition: ${DECOMPOSED_TITLES[name].toLowerCase()}`}
        of={of}
        bag={bag}
        onBag={(next) => set({ bag: next })}
      />
      <div className={classes['text']}>
        <p>
          A square is a tensor that cuts the network alone; a round one makes a bad checkpoint, since another
          path leads around it. Two towers have none. Merge tensors into bags until the bags form a tree, each
          edge in some bag and the bags of each tensor connected. Then every bag that is no end cuts the
          network, as one tensor cuts a chain.
        </p>
        <p>
          Here the largest bag holds {of.largestBag}: <Term id="treewidth">treewidth</Term>{' '}
          {of.isExact ? '' : 'at most '}
          {width}, by the usual definition one less than the bag
          {of.isExact ? ', and no tree has smaller bags' : ''}. OpenAI’s article counts the bag itself. Where
          bags stay small, dynamic programming over the tree stays fast; networks are almost trees.
        </p>
      </div>
    </>
  );
}
