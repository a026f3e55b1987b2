import { Box, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { SearchIcon } from '../../../shared/icons.tsx';
import { searchGlossary } from '../../../state/learn/glossary.ts';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../parts/learn.module.css';
import { isPage, lessonNumber, pageTitle } from '../../../state/learn/lessons.ts';
import { usePage } from '../../../state/parts/use-page.ts';

export function GlossaryPage() {
  const { params, set, open } = usePage();
  const query = params['q'] ?? '';
  const wanted = params['term'];
  const from = params['from'];
  const entries = searchGlossary(query);
  const list = useRef<HTMLDListElement>(null);
  useEffect(() => {
    if (wanted === undefined) return;
    const entry = [...(list.current?.children ?? [])].find(
      (child) => child instanceof HTMLElement && child.dataset['term'] === wanted,
    );
    entry?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  return (
    <>
      <Box component="p" fz={16} maw="88ch" lh="24px">
        The field’s terms, as the lab’s screens, files and messages use them.
      </Box>
      <div className={classes['fields']}>
        <TextInput
          w={320}
          aria-label="Search the glossary"
          placeholder="Search for a word"
          leftSection={<SearchIcon />}
          value={query}
          onChange={(event) => set({ q: event.currentTarget.value || undefined, term: undefined })}
        />
        {isPage(from) && from !== 'glossary' && (
          <LinkButton onClick={() => open(from)}>Go back to lesson {lessonNumber(from)}</LinkButton>
        )}
        <span className={layout['muted']} role="status">
          {countText(entries.length)}
        </span>
      </div>
      <Box component="dl" ref={list} maw="88ch" className={classes['glossary']}>
        {entries.map(({ id, term, text, lesson }) => (
          <div key={id} data-term={id} data-current={id === wanted || undefined}>
            <dt>
              <b>{term}</b>
            </dt>
            <dd>
              {text}{' '}
              {lesson !== undefined && (
                <LinkButton onClick={() => open(lesson)}>
                  Lesson {lessonNumber(lesson)}: {pageTitle(lesson)}
                </LinkButton>
              )}
            </dd>
          </div>
        ))}
      </Box>
    </>
  );
}

function countText(count: number): string {
  if (count === 0) return 'No entry contains this text. Try fewer letters.';
  return count === 1 ? '1 entry' : `${count} entries`;
}
