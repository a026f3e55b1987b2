import { Flex } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { PresetLine } from '../../state/parts/PresetLine.tsx';
import { useActions } from '../../state/parts/use-actions.ts';
import { useStore } from '../../shared/store.ts';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { openAtFirst, revealing, toggled } from './state/blocks.ts';
import { Canvas } from './canvas/Canvas.tsx';
import { createCamera } from './canvas/camera-handle.ts';
import { blockKey, boxOf, vertexKey } from './state/drawing.ts';
import { GAME_PANEL } from '../../state/game/open-game.ts';
import { ChallengeBanner } from './game/ChallengeBanner.tsx';
import { GameHeadline } from './game/GameHeadline.tsx';
import { graphKey } from './state/graph-store.ts';
import { GraphHeadline } from './headline/GraphHeadline.tsx';
import layout from '../../shared/layout/layout.module.css';
import classes from './graph.module.css';
import { Legend } from './canvas/Legend.tsx';
import { withToggled } from './yours/own-checkpoints.ts';
import { SidePanel } from './panel/SidePanel.tsx';
import { Toolbar } from './toolbar/Toolbar.tsx';
import { verticesInside } from './division/tree-rows.ts';
import { CloseBlockContext } from './canvas/use-blocks.ts';
import { useGraphModel, usePaint, usePicture, useSession } from './use-graph.ts';
import { VertexList } from './vertices/VertexList.tsx';
import {
  PANEL_TITLES,
  PANELS,
  pathOfKey,
  placesOwn,
  type ViewState,
  vertexOfKey,
} from './state/view-state.ts';

export function GraphScreen() {
  const { experiment: store } = useWorkspace();
  const session = useSession();
  const lab = useLabView();
  const state = useStore(session.graph);
  const view = useStore(session.view);
  const { experiment } = lab;
  const camera = useMemo(createCamera, []);
  const network = state.shown;
  const model = useGraphModel(network, view);
  const picture = usePaint(usePicture(network, view), model);

  useEffect(() => void session.graph.show(experiment), [session, experiment]);

  const change = useCallback(
    (part: Partial<ViewState>): void => session.view.set({ ...session.view.get(), ...part }),
    [session],
  );

  // A tensor in the address is brought into view first.
  const isOpened = useRef(false);
  useEffect(() => {
    if (isOpened.current || network?.key !== graphKey(experiment)) return;
    isOpened.current = true;
    camera.wanted = session.view.get().current;
  }, [network, experiment, session, camera]);

  const show = useCallback(
    (vertex: number): void => {
      if (network === null) return;
      const { open } = session.view.get();
      const key = vertexKey(vertex);
      const now = open ?? openAtFirst(network.blocks);
      const next = revealing(network.blocks, now, vertex);
      change({ current: key, open: next });
      if (next === now) camera.center(key);
      else camera.wanted = key;
    },
    [network, session, change, camera],
  );
  const showAll = useCallback(
    (vertices: readonly number[]): void => {
      if (network === null) return;
      const open = session.view.get().open ?? openAtFirst(network.blocks);
      camera.show([...new Set(vertices.map((v) => boxOf(network.blocks, open, v)))]);
    },
    [network, session, camera],
  );
  const showSegment = useCallback(
    (node: number): void => {
      if (network === null) return;
      const { tree } = network.paper;
      showAll([tree.source[node]!, ...verticesInside(tree, node), tree.target[node]!]);
    },
    [network, showAll],
  );
  const toggleBlock = useCallback(
    (path: string): void => {
      if (network === null) return;
      const open = session.view.get().open ?? openAtFirst(network.blocks);
      camera.anchor = blockKey(path);
      change({ open: toggled(open, path), current: open.has(path) ? blockKey(path) : null });
    },
    [network, session, change, camera],
  );
  const toggleOwn = useCallback(
    (vertex: number): void => {
      if (network === null) return;
      const now = store.get().experiment;
      store.change({ ...now, checkpoints: withToggled(network.paper, now.checkpoints, vertex) });
    },
    [network, store],
  );
  const choose = useCallback(
    (key: string): void => {
      const path = pathOfKey(key);
      if (path !== null) {
        toggleBlock(path);
        return;
      }
      const vertex = vertexOfKey(key);
      change({ current: key });
      if (vertex !== null && placesOwn(session.view.get())) toggleOwn(vertex);
    },
    [session, change, toggleBlock, toggleOwn],
  );

  useActions([
    ...PANELS.map((panel) => ({
      id: `graph-${panel}`,
      group: 'Graph',
      title: PANEL_TITLES[panel],
      run: () => change({ panel }),
    })),
    {
      id: 'graph-fit',
      group: 'Graph',
      title: 'See the whole graph',
      words: 'fit zoom',
      run: () => camera.fit(),
    },
  ]);

  const isStale = network !== null && network.key !== state.wanted;
  return (
    <CloseBlockContext value={toggleBlock}>
      <div className={classes['screen']} data-stale={isStale || undefined}>
        <Flex direction="column" gap={12}>
          {view.panel === GAME_PANEL ? (
            <>
              {model !== null && view.rival !== null && <ChallengeBanner model={model} />}
              <GameHeadline model={model} state={state} />
            </>
          ) : (
            <GraphHeadline model={model} state={state} />
          )}
          <PresetLine />
        </Flex>
        <div className={`${layout['beside']} ${classes['row']}`}>
          <section
            className={`${layout['card']} ${classes['stage']}`}
            aria-label="Drawing"
            aria-busy={state.running !== null}
          >
            <Toolbar model={model} camera={camera} onChange={change} onShow={show} picture={picture} />
            <div className={classes['picture']}>
              {picture !== null && model !== null && picture.network === network ? (
                <Canvas
                  picture={picture}
                  model={model}
                  camera={camera}
                  onChoose={choose}
                  onMove={(current) => change({ current })}
                />
              ) : (
                <div className={layout['empty']}>
                  {state.failure === null
                    ? `Laying out ${experiment.model}…`
                    : 'Choose a network in the bar above to draw it here.'}
                </div>
              )}
            </div>
            {model !== null && <Legend model={model} />}
          </section>
          {model !== null && (
            <SidePanel
              model={model}
              onChange={change}
              onShow={show}
              onSegment={showSegment}
              onBag={showAll}
              onToggle={toggleOwn}
            />
          )}
        </div>
        {picture !== null && model !== null && <VertexList picture={picture} model={model} />}
      </div>
    </CloseBlockContext>
  );
}
