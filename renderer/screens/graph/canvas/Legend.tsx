import { useLabView } from '../../../state/workspace/use-workspace.ts';
import { figureText } from '../state/figure-text.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../graph.module.css';
import { largestStandOut } from '../bags/bag-rows.ts';
import { HEAT_LEVELS } from '../state/paint.ts';
import type { GraphModel } from '../use-graph.ts';
import { coloringOf, placesOwn } from '../state/view-state.ts';

export function Legend({ model }: { readonly model: GraphModel }) {
  const { batch } = useLabView().experiment;
  const coloring = coloringOf(model.view);
  if (coloring === 'segments') {
    const isFault = placesOwn(model.view) && model.verdict.state === 'unpriced';
    return (
      <div className={`${layout['legend']} ${classes['legend']}`}>
        {model.view.panel === 'bags' ? (
          <>
            <Swatch tone="even" text="bags by their depth" second="odd" />
            {largestStandOut(model.network.paper.view.decomposition) && (
              <Swatch tone="largest" text="in a largest bag" />
            )}
          </>
        ) : isFault ? (
          <Swatch tone="fault" text="not independent" />
        ) : (
          <>
            <Swatch tone="even" text="segments" second="odd" />
            <Swatch tone="largest" text="largest segment" />
            <span>
              <i
                className={classes['ringSample']}
                data-of={placesOwn(model.view) ? 'yours' : model.view.panel}
              />
              {placesOwn(model.view) ? 'your checkpoint' : 'checkpoint'}
            </span>
          </>
        )}
      </div>
    );
  }
  const { vertices } = model.network.paper.view;
  const most = vertices.reduce(
    (a, v) => Math.max(a, coloring === 'flops' ? v.flopsPerSample : v.bytesPerSample),
    0,
  );
  const top = figureText(most, coloring, batch);
  return (
    <div className={`${layout['legend']} ${classes['legend']}`}>
      <span>
        0
        {Array.from({ length: HEAT_LEVELS }, (_, i) => (
          <i key={String(i)} className={`${layout['swatch']} ${classes['swatch']}`} data-heat={i + 1} />
        ))}
        {top} a tensor
      </span>
      <span>
        <i className={classes['ringSample']} data-of={model.view.panel} />
        checkpoint, in its strategy’s colour
      </span>
    </div>
  );
}

function Swatch({
  tone,
  text,
  second,
}: {
  readonly tone: string;
  readonly text: string;
  readonly second?: string;
}) {
  return (
    <span>
      <i className={`${layout['swatch']} ${classes['swatch']}`} data-tone={tone} />
      {second !== undefined && (
        <i className={`${layout['swatch']} ${classes['swatch']}`} data-tone={second} />
      )}
      {text}
    </span>
  );
}
