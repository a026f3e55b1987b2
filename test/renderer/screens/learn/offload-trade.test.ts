import { describe, expect, it } from 'vitest';
import { deviceOf, speedOf } from '../../../../engine/devices/devices.ts';
import { GraphBuilder } from '../../../../engine/graph/builder.ts';
import { conv2d } from '../../../../engine/ops/make.ts';
import { offloadTrade } from '../../../../renderer/screens/learn/model/offload-trade.ts';

describe('the cost of a byte over the link', () => {
  /** Seconds that a 3 × 3 convolution of so many channels is computed for, over those that its result takes on the link. */
  const ratio = (channels: number): number => {
    const b = new GraphBuilder('one');
    b.add('conv', conv2d(8, 3, { padding: 1, bias: false }), [b.input('x', [4, channels, 16, 16])]);
    const graph = b.build();
    const device = deviceOf('rtx-2080-ti')!;
    return graph.flops[1]! / speedOf(device).flopsPerSecond / (graph.bytes[1]! / (device.hostGBps! * 1e9));
  };

  it('is given in channels of a convolution by the engine’s FLOPs and bytes', () => {
    const { channels } = offloadTrade('rtx-2080-ti')!;
    expect(ratio(channels)).toBeGreaterThanOrEqual(1);
    expect(ratio(channels - 1)).toBeLessThan(1);
  });

  it('is not shown if device and host share memory', () => {
    expect(offloadTrade('apple-32')).toBeNull();
    expect(offloadTrade('custom')).toBeNull();
  });
});
