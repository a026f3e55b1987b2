import '@xyflow/react/dist/base.css';
import { VisuallyHidden } from '@mantine/core';
import { MiniMap, type Node, ReactFlow, type ReactFlowInstance, ViewportPortal } from '@xyflow/react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react';
import { BlockNode } from './BlockNode.tsx';
import { describe } from './describe.ts';
import { EdgeLayer } from './EdgeLayer.tsx';
import { FrameNode } from './FrameNode.tsx';
import classes from '../graph.module.css';
import { anchored, fitted, framed, isInView, type Viewport, zoomBand } from './camera.ts';
import { ARROWS, neighbour } from './navigate.ts';
import type { GraphModel, Picture } from '../use-graph.ts';
import { seenOf, useSession } from '../use-graph.ts';
import { VertexNode } from './VertexNode.tsx';
import type { CameraHandle } from './camera-handle.ts';

const NODE_TYPES = { vertex: VertexNode, block: BlockNode, frame: FrameNode };
const PRO = { hideAttribution: true };

export interface CanvasProps {
  readonly picture: Picture;
  readonly model: GraphModel;
  readonly camera: CameraHandle;
  readonly onChoose: (key: string) => void;
  readonly onMove: (key: string | null) => void;
}

/** The drawing: boxes by React Flow, which shows those in view only, edges in one picture below them. */
export function Canvas({ picture, model, camera, onChoose, onMove }: CanvasProps) {
  const { paint } = useSession();
  const flow = useRef<ReactFlowInstance | null>(null);
  const wrapper = useRef<HTMLDivElement>(null);
  /** Zoom at which everything is in view: an overview would hide more than it shows. */
  const whole = useRef(0);
  const { drawing, layout, network } = picture;
  const { current } = model.view;
  const seen = useMemo(() => seenOf(model.strategies, model.view), [model.strategies, model.view]);

  const nodes = useMemo<Node[]>(
    () =>
      drawing.items.map((item, i) => {
        const { x, y, width, height } = layout.places[i]!;
        return {
          id: item.key,
          type: item.kind,
          position: { x, y },
          width,
          height,
          // Known beforehand, so that nothing has to be measured.
          measured: { width, height },
          zIndex: item.kind === 'frame' ? -1 : 1,
          data: { network, item },
          style: { pointerEvents: item.kind === 'frame' ? 'none' : 'all' },
        };
      }),
    [drawing, layout, network],
  );

  const band = useCallback(({ zoom }: Viewport) => {
    const element = wrapper.current;
    if (element === null) return;
    element.dataset['zoom'] = zoomBand(zoom);
    element.dataset['whole'] = String(zoom <= whole.current * 1.02);
    element.style.setProperty('--ring', `${Math.min(14, Math.max(2.5, 2 / zoom))}px`);
  }, []);
  const look = useCallback(
    (viewport: Viewport) => {
      void flow.current?.setViewport(viewport);
      band(viewport);
    },
    [band],
  );
  const seeAll = useCallback(() => {
    const box = wrapper.current?.getBoundingClientRect();
    if (box === undefined) return;
    const viewport = fitted(layout, box);
    whole.current = viewport.zoom;
    look(viewport);
  }, [layout, look]);

  // A drawing seen whole stays so when the window changes.
  useEffect(() => {
    const element = wrapper.current;
    if (element === null) return undefined;
    let { clientWidth, clientHeight } = element;
    const observer = new ResizeObserver(() => {
      // An observer also speaks when it begins.
      if (element.clientWidth === clientWidth && element.clientHeight === clientHeight) return;
      ({ clientWidth, clientHeight } = element);
      if (flow.current !== null && element.dataset['whole'] === 'true') seeAll();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [seeAll]);

  // A new network is seen whole; while blocks open and close, what was clicked stays where it is.
  const previous = useRef<Picture | null>(null);
  useEffect(() => {
    const before = previous.current;
    previous.current = picture;
    // A page of another shape, as of a phone that is turned, has another layout.
    const staysWhole = camera.anchor === null && wrapper.current?.dataset['whole'] === 'true';
    if (before === null || before.network !== picture.network || camera.seesAll || staysWhole) seeAll();
    else if (flow.current !== null) {
      look(anchored(before, picture, camera.anchor, flow.current.getViewport()));
    }
    camera.anchor = null;
    camera.seesAll = false;
  }, [picture, seeAll, look, camera]);

  const center = useCallback(
    (key: string, always: boolean) => {
      const at = drawing.indexOf.get(key);
      const box = wrapper.current?.getBoundingClientRect();
      if (at === undefined || box === undefined || flow.current === null) return;
      const viewport = flow.current.getViewport();
      const place = layout.places[at]!;
      if (!always && viewport.zoom > 0.35 && isInView(place, viewport, box)) return;
      const zoom = Math.max(viewport.zoom, 0.8);
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const options = { zoom, duration: calm ? 0 : 160 };
      void flow.current.setCenter(place.x + place.width / 2, place.y + place.height / 2, options);
    },
    [drawing, layout],
  );
  const showAll = useCallback(
    (keys: readonly string[]) => {
      const window = wrapper.current?.getBoundingClientRect();
      const places = keys.flatMap((key) => layout.places[drawing.indexOf.get(key) ?? -1] ?? []);
      if (window !== undefined && places.length > 0) look(framed(places, window));
    },
    [drawing, layout, look],
  );
  useEffect(() => {
    camera.fit = () => {
      // A block that is opening now is seen whole too.
      camera.anchor = null;
      seeAll();
    };
    camera.zoomBy = (factor) => void (factor > 1 ? flow.current?.zoomIn() : flow.current?.zoomOut());
    camera.center = (key) => center(key, true);
    camera.show = showAll;
    const wanted = camera.wanted;
    if (wanted !== null && drawing.indexOf.has(wanted)) {
      camera.wanted = null;
      center(wanted, true);
    }
  }, [camera, seeAll, center, showAll, drawing]);

  const press = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const direction = ARROWS[event.key];
    if (direction !== undefined) {
      const next = neighbour(drawing, layout, current, direction);
      onMove(next);
      if (next !== null) center(next, false);
    } else if ((event.key === 'Enter' || event.key === ' ') && current !== null) onChoose(current);
    else if (event.key === 'Escape' && current !== null) onMove(null);
    else if (event.key === '+' || event.key === '=') camera.zoomBy(1.2);
    else if (event.key === '-') camera.zoomBy(0.8);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing that arrow keys walk through is no form group
    <div
      ref={wrapper}
      className={classes['canvas']}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the one stop of the keyboard in the drawing
      tabIndex={0}
      aria-label="Computation graph. Arrow keys move along edges, Enter chooses."
      data-testid="graph-canvas"
      onKeyDown={press}
    >
      <ReactFlow
        nodes={nodes}
        edges={NO_EDGES}
        nodeTypes={NODE_TYPES}
        onInit={(instance) => {
          flow.current = instance as unknown as ReactFlowInstance;
          seeAll();
        }}
        onMove={(_, viewport) => band(viewport)}
        onNodeClick={(_, node) => {
          if (node.type !== 'frame') onChoose(node.id);
        }}
        onPaneClick={() => onMove(null)}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnDoubleClick={false}
        minZoom={0.03}
        maxZoom={2}
        proOptions={PRO}
      >
        <ViewportPortal>
          <EdgeLayer picture={picture} current={current} seen={seen} />
        </ViewportPortal>
        {drawing.items.length > MINIMAP_FROM && (
          <MiniMap
            className={classes['minimap'] ?? ''}
            pannable
            zoomable
            ariaLabel="Overview of the graph"
            nodeColor={(node) => (node.type === 'frame' ? 'var(--zz-raised)' : 'var(--zz-axis)')}
            maskColor="var(--graph-mask)"
            bgColor="var(--zz-card)"
          />
        )}
      </ReactFlow>
      <VisuallyHidden role="status">
        {current === null ? '' : describe(model, current, paint.get().get(current))}
      </VisuallyHidden>
    </div>
  );
}

const MINIMAP_FROM = 60;
const NO_EDGES: never[] = [];
