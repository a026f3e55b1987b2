import { LEAST_LINK_GBPS, MOST_LINK_GBPS, usualLinkOf } from '../../../app/contract/link.ts';
import { NumberField } from '../../shared/fields/NumberField.tsx';
import { LinkButton } from '../../shared/layout/LinkButton.tsx';
import layout from '../../shared/layout/layout.module.css';
import { chosenDevice } from '../../state/experiment/device.ts';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { ChoiceField } from './ChoiceField.tsx';
import classes from './experiment.module.css';

const COPIES = {
  overlap:
    'The device computes while it copies to and from pinned memory; it waits only for a copy that comes too late.',
  wait: 'The device waits for every copy, as PyTorch’s save_on_cpu does without pinned memory.',
};

/** The link between the device and host memory; without one nothing is sent there. */
export function LinkField() {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const { linkGBps, linkCopies = 'overlap', device } = experiment;
  const usual = usualLinkOf(device);
  const take = (next: number | undefined): void => {
    const { linkGBps: _old, linkCopies: copies, ...rest } = store.get().experiment;
    const kept = next === undefined || copies === undefined ? {} : { linkCopies: copies };
    store.change(next === undefined ? rest : { ...rest, ...kept, linkGBps: next }, 'linkGBps');
  };
  return (
    <>
      <div className={classes['moreRow']}>
        <NumberField
          rule={{ label: 'Link to host memory', min: LEAST_LINK_GBPS, max: MOST_LINK_GBPS, whole: false }}
          value={linkGBps}
          placeholder="none"
          unit="GB/s"
          width={128}
          delayMs={800}
          optional
          onValue={take}
        />
        <div className={`${layout['note']} ${classes['beside']}`}>
          {usual === null ? (
            'For Offload: how fast activations go to host memory and back.'
          ) : linkGBps === usual ? (
            `That of ${chosenDevice(experiment).title}, for Offload.`
          ) : (
            <>
              For Offload.{' '}
              <LinkButton onClick={() => take(usual)}>
                Use {usual} GB/s ({chosenDevice(experiment).title})
              </LinkButton>
            </>
          )}
        </div>
      </div>
      {linkGBps !== undefined && (
        <ChoiceField
          label="Copies"
          value={linkCopies}
          says={COPIES}
          onValue={(copies) => {
            const { linkCopies: _old, ...rest } = store.get().experiment;
            store.change(copies === 'overlap' ? rest : { ...rest, linkCopies: copies });
          }}
        />
      )}
    </>
  );
}
