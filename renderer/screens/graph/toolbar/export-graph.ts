import { decompositionFile } from '../../../../engine/exchange/decomposition-file.ts';
import { type DivisionNode, divisionTreeToJson } from '../../../../engine/paper/division-tree.ts';
import { download, pngBlob, svgBlob } from '../../../shared/charts/export-chart.ts';
import { edgePath, arrowPath } from '../canvas/edge-path.ts';
import { shortName } from '../state/blocks.ts';
import { idOfVertex, type PaperGraph } from '../state/paper-graph.ts';
import { operationsOf } from '../state/search.ts';
import type { Picture } from '../use-graph.ts';
import type { ItemPaint } from '../state/paint.ts';

const MARGIN = 24;
/** Canvases refuse more than this on a side; a picture is drawn at twice its size. */
const MAX_PIXELS = 4000;
/** Points of a PDF for a pixel of CSS. */
const POINTS = 0.75;

/** One piece of an SVG, as text: a thousand boxes are written faster than they are built as elements. */
const tag = (
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  text = '',
): string => {
  const pairs = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(String(value))}"`],
  );
  return `<${name}${pairs.join('')}>${escaped(text)}</${name}>`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * The whole drawing as a picture that needs nothing else: colours are resolved by `color`.
 *
 * @param color the value of a CSS variable such as `--zz-ink`
 */
export function drawingSvg(
  { drawing, layout, network }: Picture,
  paint: ReadonlyMap<string, ItemPaint>,
  color: (variable: string) => string,
): string {
  const ink = color('--zz-ink');
  const muted = color('--zz-muted');
  const border = color('--zz-border');
  const { blocks, paper } = network;
  const parts = drawing.items.map((item, i) => {
    const { x, y, width, height } = layout.places[i]!;
    const box = { x, y, width, height, rx: 6 };
    const block = item.kind === 'vertex' ? undefined : blocks.byPath.get(item.path);
    if (item.kind === 'frame') {
      return (
        tag('rect', { ...box, fill: color('--zz-raised'), stroke: border }) +
        tag('text', { x: x + 12, y: y + 20, fill: muted, 'font-size': 12 }, block?.title)
      );
    }
    const look = paint.get(item.key);
    const vertex = item.kind === 'vertex' ? paper.view.vertices[item.vertex] : undefined;
    const name =
      item.kind === 'vertex'
        ? shortName(vertex?.id ?? '', blocks.blockOf[item.vertex] ?? null)
        : block?.title;
    const facts = vertex === undefined ? `${block?.vertices.length ?? 0} tensors` : operationsOf(vertex);
    const rings = (look?.rings ?? []).map(({ identity }, r) => {
      const out = 3 + r * 4.5;
      return tag('rect', {
        x: x - out,
        y: y - out,
        width: width + 2 * out,
        height: height + 2 * out,
        rx: 6 + out,
        fill: 'none',
        stroke: color(`--zz-${identity.color}`),
        'stroke-width': 2.5,
        'stroke-dasharray': identity.dash,
      });
    });
    return (
      tag('rect', { ...box, fill: color('--zz-card'), stroke: border }) +
      tag('rect', { x, y, width: 6, height, rx: 3, fill: ink, 'fill-opacity': (look?.heat ?? 0) / 5.5 }) +
      tag('text', { x: x + 14, y: y + 18, fill: ink, 'font-size': 13, 'font-weight': 600 }, name) +
      tag('text', { x: x + 14, y: y + 35, fill: muted, 'font-size': 12 }, facts) +
      rings.join('')
    );
  });
  const edges = {
    d: layout.routes.map(edgePath).join(''),
    fill: 'none',
    stroke: color('--zz-axis'),
    'stroke-width': 1.25,
  };
  const arrows = { d: layout.routes.map(arrowPath).join(''), fill: color('--zz-axis') };
  const width = layout.width + 2 * MARGIN;
  const height = layout.height + 2 * MARGIN;
  const frames = parts.filter((_, i) => drawing.items[i]!.kind === 'frame');
  const boxes = parts.filter((_, i) => drawing.items[i]!.kind !== 'frame');
  const shrink = Math.min(1, MAX_PIXELS / Math.max(width, height));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(width * shrink)}" height="${Math.round(height * shrink)}" ` +
    `viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" font-family="system-ui, sans-serif">` +
    tag('rect', { x: -MARGIN, y: -MARGIN, width, height, fill: color('--zz-card') }) +
    frames.join('') +
    tag('path', edges) +
    tag('path', arrows) +
    `${boxes.join('')}</svg>`
  );
}

/**
 * Saves the drawing as it is painted now.
 *
 * @throws NoSuchSignError where PDF's fonts do not have a sign of a name
 */
export async function saveDrawing(
  picture: Picture,
  paint: ReadonlyMap<string, ItemPaint>,
  kind: 'svg' | 'png' | 'pdf',
): Promise<void> {
  const probe = document.createElement('div');
  // A PDF is for paper: the light theme's colours, whatever the screen has.
  if (kind === 'pdf') probe.setAttribute('data-print', '');
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const text = drawingSvg(picture, paint, (variable) => style.getPropertyValue(variable).trim());
  probe.remove();
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  const svg = parsed.documentElement as unknown as SVGSVGElement;
  const name = `graph-${picture.network.paper.view.model}`;
  if (kind === 'pdf') {
    const { figurePdf } = await import('../../../shared/charts/pdf.ts');
    const { width, height } = svg.viewBox.baseVal;
    download(await figurePdf(svg, { width: width * POINTS, height: height * POINTS }, name), `${name}.pdf`);
    return;
  }
  const scale = (2 * svg.width.baseVal.value) / svg.viewBox.baseVal.width;
  download(kind === 'svg' ? svgBlob(svg) : await pngBlob(svg, scale), `${name}.${kind}`);
}

interface NamedNode {
  readonly kind: string;
  readonly source: string;
  readonly target: string;
  readonly bytesPerSample: number;
  readonly children?: readonly NamedNode[];
}

export function treeJson(paper: PaperGraph): string {
  const named = (node: DivisionNode): NamedNode => ({
    kind: node.kind,
    source: idOfVertex(paper, node.source),
    target: idOfVertex(paper, node.target),
    bytesPerSample: node.cost,
    ...(node.children === undefined ? {} : { children: node.children.map(named) }),
  });
  const root = named(divisionTreeToJson(paper.tree));
  const file = { format: 'zigzag-division-tree', version: 1, model: paper.view.model, root };
  return JSON.stringify(file, null, 2);
}

export function decompositionJson(paper: PaperGraph): string {
  const { decomposition, model } = paper.view;
  const whole = { ...decomposition, largestBag: decomposition.width + 1 };
  return JSON.stringify(
    decompositionFile(model, whole, (v) => idOfVertex(paper, v)),
    null,
    2,
  );
}

export function saveDecomposition(paper: PaperGraph): void {
  const blob = new Blob([decompositionJson(paper)], { type: 'application/json' });
  download(blob, `tree-decomposition-${paper.view.model}.json`);
}

export function saveTree(paper: PaperGraph): void {
  const blob = new Blob([treeJson(paper)], { type: 'application/json' });
  download(blob, `division-tree-${paper.view.model}.json`);
}
