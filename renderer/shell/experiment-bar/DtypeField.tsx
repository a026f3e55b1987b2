import { Select } from '@mantine/core';
import { memo, useId } from 'react';
import { dtypeSchema } from '../../../app/contract/experiment.ts';
import { isFileNetwork } from '../../../app/contract/opened-file.ts';
import { useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import field from '../../shared/fields/field.module.css';

const MEANING = 'How large an element is: of every tensor, of the weights, their gradients and the momentum.';
const OWN = 'The file itself says the data types of its tensors.';

/** Size of an element: all tensors and weights of a network have the same. */
export const DtypeField = memo(function DtypeField() {
  const id = useId();
  const { experiment: store } = useWorkspace();
  const dtype = useLabPart(({ experiment }) => experiment.dtype);
  const isFile = useLabPart(({ experiment }) => isFileNetwork(experiment.model));
  return (
    <div className={field['field']} title={isFile ? OWN : MEANING}>
      <div className={field['labelRow']}>
        <label htmlFor={id}>Data type</label>
      </div>
      <Select
        id={id}
        size="sm"
        w={96}
        disabled={isFile}
        value={dtype}
        data={isFile ? [{ value: dtype, label: 'its own' }] : [...dtypeSchema.options]}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false, position: 'bottom-start', shadow: 'md' }}
        onChange={(chosen) => {
          const next = dtypeSchema.safeParse(chosen);
          if (next.success) store.change({ ...store.get().experiment, dtype: next.data });
        }}
      />
    </div>
  );
});
