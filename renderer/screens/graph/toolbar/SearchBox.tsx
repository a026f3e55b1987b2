import { Combobox, InputBase, useCombobox } from '@mantine/core';
import { useMemo, useState } from 'react';
import { SearchIcon } from '../../../shared/icons.tsx';
import classes from '../graph.module.css';
import { search } from '../state/search.ts';
import type { GraphModel } from '../use-graph.ts';

export function SearchBox({ model, onShow }: { model: GraphModel | null; onShow: (vertex: number) => void }) {
  const [query, setQuery] = useState('');
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const matches = useMemo(
    () => (model === null ? [] : search(model.network.paper.view, query)),
    [model, query],
  );
  return (
    <Combobox
      store={combobox}
      withinPortal
      width={320}
      position="bottom-start"
      onOptionSubmit={(value) => {
        const match = matches.find(({ id }) => id === value);
        if (match === undefined) return;
        setQuery(match.id);
        combobox.closeDropdown();
        onShow(match.vertex);
      }}
    >
      <Combobox.Target>
        <InputBase
          className={classes['search']}
          size="xs"
          aria-label="Find a tensor"
          placeholder="Find a tensor"
          leftSection={<SearchIcon />}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            combobox.openDropdown();
            combobox.selectFirstOption();
          }}
          onFocus={() => query !== '' && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={query.trim() === ''}>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label="Tensors found">
          {matches.length === 0 ? (
            <Combobox.Empty>No tensor has this name.</Combobox.Empty>
          ) : (
            matches.map(({ vertex, id, operations }) => (
              <Combobox.Option key={vertex} value={id}>
                <div className={classes['found']}>
                  <span>{id}</span>
                  <span>{operations}</span>
                </div>
              </Combobox.Option>
            ))
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
