import { Button } from '@mantine/core';
import { chooseMeasurements } from '../../../state/files/measurements.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { TableView } from '../use-table.ts';

export function MeasurementsButton({ view: { name, device } }: { readonly view: TableView }) {
  const { measurements } = useWorkspace();
  if (name !== 'cvpr') return null;
  return (
    <Button
      variant="default"
      h={30}
      title={
        device === null
          ? 'Measurements from the file of “zigzag export --to reproduce”'
          : `Measured on ${device.device}`
      }
      onClick={() => (device === null ? chooseMeasurements(measurements) : measurements.close())}
    >
      {device === null ? 'Open measurements…' : 'Close measurements'}
    </Button>
  );
}
