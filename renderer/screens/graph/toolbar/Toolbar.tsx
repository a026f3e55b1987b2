import { ActionIcon, Menu, SegmentedControl } from '@mantine/core';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { CloseAllIcon, DotsIcon, FitIcon, MinusIcon, OpenAllIcon, PlusIcon } from '../../../shared/icons.tsx';
import { Tool } from '../../../shared/layout/Tool.tsx';
import type { CameraHandle } from '../canvas/camera-handle.ts';
import { saveDecomposition, saveDrawing, saveTree } from './export-graph.ts';
import classes from '../graph.module.css';
import { SearchBox } from './SearchBox.tsx';
import { type GraphModel, type Picture, useSession } from '../use-graph.ts';
import { type Coloring, coloringOf, COLORINGS, type ViewState } from '../state/view-state.ts';

const COLORING_TITLES: Readonly<Record<Coloring, string>> = {
  bytes: 'Bytes',
  flops: 'FLOPs',
  segments: 'Segments',
};

export interface ToolbarProps {
  readonly model: GraphModel | null;
  readonly picture: Picture | null;
  readonly camera: CameraHandle;
  readonly onChange: (part: Partial<ViewState>) => void;
  readonly onShow: (vertex: number) => void;
}

export function Toolbar({ model, picture, camera, onChange, onShow }: ToolbarProps) {
  const { paint } = useSession();
  const { experiment: store } = useWorkspace();
  const tell = (error: unknown): void =>
    store.settle(store.get().experiment, [error instanceof Error ? error.message : String(error)]);
  const view = model?.view;
  const blocks = model?.network.blocks.byPath;
  const setColoring = (value: string): void => {
    const coloring = COLORINGS.find((name) => name === value);
    if (view !== undefined && coloring !== undefined) {
      onChange({ coloring: { ...view.coloring, [view.panel]: coloring } });
    }
  };
  const openOnly = (paths: Iterable<string>): void => {
    camera.seesAll = true;
    onChange({ open: new Set(paths), current: null });
  };
  return (
    <header className={classes['toolbar']}>
      <SearchBox model={model} onShow={onShow} />
      <SegmentedControl
        aria-label="Colour by"
        value={view === undefined ? 'bytes' : coloringOf(view)}
        onChange={setColoring}
        data={COLORINGS.map((value) => ({ value, label: COLORING_TITLES[value] }))}
      />
      <div className={classes['tools']}>
        <div className={classes['quiet']}>
          <Tool
            label="Close all blocks"
            disabled={blocks === undefined || blocks.size === 0}
            onClick={() => openOnly([])}
          >
            <CloseAllIcon />
          </Tool>
          <Tool
            label="Open all blocks"
            disabled={blocks === undefined || blocks.size === 0}
            onClick={() => openOnly(blocks?.keys() ?? [])}
          >
            <OpenAllIcon />
          </Tool>
          <Tool label="Zoom out" onClick={() => camera.zoomBy(0.8)}>
            <MinusIcon />
          </Tool>
          <Tool label="Zoom in" onClick={() => camera.zoomBy(1.2)}>
            <PlusIcon />
          </Tool>
          <Tool label="See the whole graph" onClick={() => camera.fit()}>
            <FitIcon />
          </Tool>
        </div>
        <Menu position="bottom-end" shadow="md" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label="Save the graph" disabled={picture === null}>
              <DotsIcon />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => picture && void saveDrawing(picture, paint.get(), 'svg')}>
              Save as SVG
            </Menu.Item>
            <Menu.Item onClick={() => picture && void saveDrawing(picture, paint.get(), 'png')}>
              Save as PNG
            </Menu.Item>
            <Menu.Item onClick={() => picture && saveDrawing(picture, paint.get(), 'pdf').catch(tell)}>
              Save as PDF
            </Menu.Item>
            <Menu.Item onClick={() => model && saveTree(model.network.paper)}>
              Save the division tree as JSON
            </Menu.Item>
            <Menu.Item onClick={() => model && saveDecomposition(model.network.paper)}>
              Save the tree decomposition as JSON
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </header>
  );
}
