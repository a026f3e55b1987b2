import type { VertexHandle } from '../../graph/builder.ts';
import { conv2d, GELU } from '../../ops/make.ts';
import { elementsOf } from '../../ops/shape.ts';
import type { Speech } from './model.ts';
import type { Sketch } from './sketch.ts';

/** Frames of a spectrogram that become one position. */
export const FRAMES = 2;

/**
 * The vectors of a spectrogram (Whisper, Radford et al. 2022, section 2.2): two convolutions along the frames, and
 * positions that are not trained. The source holds the transcript's tokens too, as a training step does throughout.
 */
export function drawSpeech(s: Sketch, width: number, { bins, positions }: Speech): VertexHandle {
  const { b } = s;
  const frames = [s.batch, bins, FRAMES * positions, 1];
  const spectrogram = s.part('spectrogram', s.tokens(s.element * elementsOf(frames)), frames);
  b.freeze(spectrogram);
  const convolved = (id: string, stride: number, x: VertexHandle): VertexHandle =>
    b.add(`${id}.gelu`, GELU, [
      b.add(id, conv2d(width, [3, 1], { stride: [stride, 1], padding: [1, 0] }), [x]),
    ]);
  const x = convolved('conv2', FRAMES, convolved('conv1', 1, spectrogram));
  const y = b.add('frames', { kind: 'patches' }, [x]);
  const positioned = b.add('frame_positions', { kind: 'position-embedding', count: positions }, [y]);
  b.freeze(positioned);
  return positioned;
}
