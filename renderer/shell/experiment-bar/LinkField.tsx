import { Flex } from '@mantine/core';
import { usualLinkOf } from '../../../app/contract/link.ts';
import { LinkButton } from '../../shared/layout/LinkButton.tsx';
import layout from '../../shared/layout/layout.module.css';
import { chosenDevice } from '../../state/experiment/device.ts';
import { withOption } from '../../state/experiment/experiment.ts';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import classes from './experiment.module.css';
import { OptionField } from './OptionField.tsx';

/** The link between the device and host memory; without one nothing is sent there. */
export function LinkField() {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const { linkGBps, device } = experiment;
  const usual = usualLinkOf(device);
  const take = (next: number | undefined): void => {
    const { experiment: now } = store.get();
    const copies = next === undefined ? undefined : now.linkCopies;
    store.change(withOption(withOption(now, 'linkGBps', next), 'linkCopies', copies), 'linkGBps');
  };
  return (
    <>
      <Flex wrap="wrap" gap={16}>
        <OptionField name="linkGBps" onValue={(next) => take(next as number | undefined)} />
        <div className={`${layout['note']} ${classes['beside']}`}>
          {usual === null ? (
            'For Offload: speed of copies to host memory and back.'
          ) : linkGBps === usual ? (
            `Link of ${chosenDevice(experiment).title}, for Offload.`
          ) : (
            <>
              For Offload.{' '}
              <LinkButton onClick={() => take(usual)}>
                Use {usual} GB/s ({chosenDevice(experiment).title})
              </LinkButton>
            </>
          )}
        </div>
      </Flex>
      {linkGBps !== undefined && <OptionField name="linkCopies" />}
    </>
  );
}
