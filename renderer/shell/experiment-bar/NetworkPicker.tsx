import { Combobox, Flex, InputBase, useCombobox } from '@mantine/core';
import { memo, useEffect, useMemo, useState } from 'react';
import { chooseFile } from '../../state/files/open-file.ts';
import { useCatalog, useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import field from '../../shared/fields/field.module.css';
import layout from '../../shared/layout/layout.module.css';
import classes from './experiment.module.css';
import { withModel } from '../../state/experiment/experiment.ts';
import { networkFacts, networkGroups, searchNetworks } from './network-rows.ts';

const OPEN_FILE = 'open-file';

/** The network of the experiment: searchable, grouped by family, with its size beside each name. */
export const NetworkPicker = memo(function NetworkPicker() {
  const workspace = useWorkspace();
  const { experiment: store } = workspace;
  const chosen = useLabPart(({ experiment }) => experiment.model);
  const { models, loaded } = useCatalog();
  const [query, setQuery] = useState<string | null>(null);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setQuery(null);
    },
  });
  const groups = useMemo(() => networkGroups(models), [models]);
  const found = useMemo(() => searchNetworks(groups, query ?? ''), [groups, query]);
  const model = models.find(({ name }) => name === chosen);

  // Enter takes the best match.
  const { selectFirstOption, resetSelectedOption } = combobox;
  useEffect(() => {
    if (query !== null && found.length > 0) selectFirstOption();
    else resetSelectedOption();
  }, [query, found, selectFirstOption, resetSelectedOption]);

  const pick = (name: string): void => {
    if (name === OPEN_FILE) chooseFile(workspace);
    const next = models.find((candidate) => candidate.name === name);
    if (next !== undefined) store.change(withModel(store.get().experiment, next));
    combobox.closeDropdown();
  };

  return (
    <div className={`${field['field']} ${classes['network']}`}>
      <div className={field['labelRow']}>
        <label htmlFor="network">Network</label>
        <span className={`${layout['note']} ${layout['cut']}`}>{model ? networkFacts(model) : ''}</span>
      </div>
      <Combobox
        store={combobox}
        onOptionSubmit={pick}
        width={384}
        position="bottom-start"
        shadow="md"
        withinPortal={false}
      >
        <Combobox.Target withExpandedAttribute>
          <InputBase
            id="network"
            role="combobox"
            size="sm"
            placeholder={loaded ? 'Search for a network' : 'Loading…'}
            value={query ?? model?.title ?? chosen}
            onChange={(event) => {
              setQuery(event.currentTarget.value);
              combobox.openDropdown();
            }}
            onFocus={(event) => event.currentTarget.select()}
            onClick={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
            rightSection={<Combobox.Chevron />}
            rightSectionPointerEvents="none"
            autoComplete="off"
            spellCheck={false}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options mah={400} style={{ overflowY: 'auto' }} aria-label="Networks">
            {combobox.dropdownOpened && <Networks found={found} chosen={chosen} loaded={loaded} />}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
});

interface NetworksProps {
  readonly found: ReturnType<typeof searchNetworks>;
  readonly chosen: string;
  readonly loaded: boolean;
}

/** Drawn while the list is open; the list itself is always there, because the field names it. */
function Networks({ found, chosen, loaded }: NetworksProps) {
  return (
    <>
      {found.map(({ group, items }) => (
        <Combobox.Group key={group} label={group}>
          {items.map((item) => (
            <Combobox.Option key={item.value} value={item.value} active={item.value === chosen}>
              <Flex component="span" align="baseline" justify="space-between" gap={16} flex={1}>
                <span>{item.label}</span>
                <span className={`${layout['note']} ${layout['cut']}`}>{item.facts}</span>
              </Flex>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
      {found.length === 0 && (
        <Combobox.Empty>{loaded ? 'No network has this name.' : 'Loading the networks…'}</Combobox.Empty>
      )}
      <Combobox.Option value={OPEN_FILE}>Open a model file…</Combobox.Option>
    </>
  );
}
