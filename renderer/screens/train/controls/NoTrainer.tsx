import { Anchor } from '@mantine/core';
import { siteDownloads } from '../../../../app/contract/site.ts';
import { Headline } from '../../../shared/layout/Headline.tsx';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import layout from '../../../shared/layout/layout.module.css';

export function NoTrainer() {
  const downloads = siteDownloads();
  return (
    <div className={layout['screen']}>
      <Headline sentence="Training needs the desktop app: this site only predicts.">
        <StatusLine>
          {downloads === null ? (
            <>
              With the source of Zigzag, <code>npm start</code> opens a lab that can train. A link to this
              view works there too.
            </>
          ) : (
            <>
              Get it from{' '}
              <Anchor href={downloads} inherit c="inherit" underline="always">
                {new URL(downloads).host}
              </Anchor>
              . A link to this view works there too.
            </>
          )}
        </StatusLine>
      </Headline>
    </div>
  );
}
