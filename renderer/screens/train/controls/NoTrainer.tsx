import { Anchor } from '@mantine/core';
import { siteDownloads } from '../../../../app/contract/site.ts';
import { Headline } from '../../../shared/layout/Headline.tsx';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import layout from '../../../shared/layout/layout.module.css';

export function NoTrainer() {
  const downloads = siteDownloads();
  return (
    <div className={layout['screen']}>
      <Headline sentence="Training needs the desktop program: this site predicts, and has no trainer.">
        <StatusLine>
          {downloads === null ? (
            <>
              This site does not say where installers are; with the source of Zigzag, <code>npm start</code>{' '}
              opens the lab that trains, and a link to this view works there too.
            </>
          ) : (
            <>
              Get it from{' '}
              <Anchor href={downloads} inherit c="inherit" underline="always">
                {new URL(downloads).host}
              </Anchor>
              ; a link to this view works there too.
            </>
          )}
        </StatusLine>
      </Headline>
    </div>
  );
}
