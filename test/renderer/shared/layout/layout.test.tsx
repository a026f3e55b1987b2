import { MantineProvider, Menu, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { figure, text } from '../../../../app/report/headline-part.ts';
import { DataTable, SortHead } from '../../../../renderer/shared/layout/DataTable.tsx';
import { DotsMenu } from '../../../../renderer/shared/layout/DotsMenu.tsx';
import { Headline, headlineParts } from '../../../../renderer/shared/layout/Headline.tsx';
import { StatusLine } from '../../../../renderer/shared/layout/StatusLine.tsx';

/** Without what styles it. */
function markup(part: ReactNode): string {
  return renderToStaticMarkup(<MantineProvider>{part}</MantineProvider>)
    .replaceAll(/<style[\s\S]*?<\/style>/g, '')
    .replaceAll(/ (?:class|style|data-[\w-]+)="[^"]*"/g, '');
}

const run = (): void => undefined;

it('Headline is a region with one sentence, whose figures and names stand out', () => {
  const parts = [text('It needs '), figure('2 GiB'), { text: 'Live', role: 'strategy' as const }];
  expect(
    markup(
      <Headline live="polite" busy={false} sentence={headlineParts(parts, () => '~')}>
        below
      </Headline>,
    ),
  ).toContain(
    '<section aria-label="Result"><div><h1 aria-live="polite" aria-busy="false">' +
      '<span>It needs </span><b>2 GiB</b><b>~Live</b></h1>below</div></section>',
  );
});

describe('StatusLine', () => {
  it('is announced during work and on failure, but not for a fact', () => {
    expect(markup(<StatusLine>a fact</StatusLine>)).toContain('<div>a fact</div>');
    expect(markup(<StatusLine kind="work">Solving</StatusLine>)).toContain(
      '<div role="status"><span>Solving',
    );
    expect(markup(<StatusLine kind="fault">Refused</StatusLine>)).toContain(
      '<div role="alert"><span>Refused',
    );
  });

  it('offers an action, and shows progress', () => {
    const line = markup(
      <StatusLine kind="work" progress={{ share: 0.5, label: 'Rows' }} action={{ title: 'Cancel', run }}>
        Row 3
      </StatusLine>,
    );
    expect(line).toMatch(
      /<div(?=[^>]* role="progressbar")(?=[^>]* aria-label="Rows")[^>]* aria-valuenow="50"/,
    );
    expect(line).toMatch(/<button[^>]*>.*Cancel/);
  });
});

it('DotsMenu is a button with a name that opens a menu', () => {
  const menu = markup(
    <DotsMenu label="Actions on Live" disabled>
      <Menu.Item>Save</Menu.Item>
    </DotsMenu>,
  );
  expect(menu).toMatch(/<button[^>]*aria-label="Actions on Live"/);
  expect(menu).toContain('aria-haspopup="menu"');
  expect(menu).toContain('disabled=""');
});

it.each([
  [null, 'none', ''],
  [false, 'ascending', '↑'],
  [true, 'descending', '↓'],
])('SortHead descending %s is announced as %s', (descending, order, arrow) => {
  const table = markup(
    <DataTable row={28}>
      <Table.Thead>
        <Table.Tr>
          <SortHead descending={descending} onSort={run}>
            Peak
          </SortHead>
        </Table.Tr>
      </Table.Thead>
    </DataTable>,
  );
  expect(table).toContain(`aria-sort="${order}"`);
  expect(table.includes(arrow)).toBe(true);
  expect(/[↑↓]/.test(table)).toBe(descending !== null);
});
