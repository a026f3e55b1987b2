// @vitest-environment happy-dom
import { deflateRawSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_CARRIED } from '../../../../app/contract/opened-file.ts';
import { graphFile } from '../../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { readAddress, writeAddress } from '../../../../renderer/state/experiment/address.ts';
import { packNetwork, packNetworks } from '../../../../renderer/state/files/carried-networks.ts';
import { copySiteLink, copyViewLink } from '../../../../renderer/state/parts/view-link.ts';
import { until } from '../../support/fake-lab.ts';
import { openLab, SCREENS } from '../../support/open-lab.ts';

const FILE = JSON.stringify(graphFile(buildModel('tiny-unet', { batch: 1 })));
const linkOf = (net: string, model = 'file%3Alink-1') =>
  `#/compare?model=${model}&batch=8&strategies=regular&net=${net}`;
const damaged = (text: string): string => deflateRawSync(Buffer.from(text)).toString('base64url');

let stop = (): void => undefined;
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** A lab at a link, when it has opened what the link brings along. */
async function opened(link: string, answers = {}) {
  const lab = openLab({ link, answers });
  stop = lab.workspace.start();
  const { experiment } = lab.workspace;
  await until(() => !experiment.get().experiment.model.startsWith('file:link-'));
  return { ...lab, view: () => experiment.get() };
}

describe('a link that contains a network', () => {
  it('shows that network, under the lab’s name for it, and stays the same link', async () => {
    const link = linkOf(await packNetwork('My net', FILE));
    const { workspace, view, asked } = await opened(link);
    expect(view().experiment.model).toMatch(/^file:[0-9a-f]{16}$/);
    expect(view().notices).toEqual([]);
    expect(workspace.catalog.get().models.find(({ name }) => name === view().experiment.model)?.title).toBe(
      'My net',
    );
    expect(writeAddress(view())).toBe(link);
    await until(() => workspace.comparison.get().shown !== null);
    // Nothing was asked about a network that had no name yet.
    for (const question of asked('compare'))
      expect(question).toMatchObject({ model: view().experiment.model });
    const [row] = workspace.comparison.get().shown?.solved.values() ?? [];
    const { peakBytes } = await peakOf('tiny-unet');
    expect(row?.row.peakBytes).toBe(peakBytes);
  });

  it('is followed while the lab is open, and opens another', async () => {
    const { workspace, view } = await opened('#/compare?model=vgg11&batch=8&strategies=regular');
    workspace.experiment.open(readAddress(linkOf(await packNetwork('Later', FILE)), SCREENS));
    await until(() => view().experiment.model.match(/^file:[0-9a-f]{16}$/) !== null);
    expect(view().notices).toEqual([]);
  });

  it.each([
    [
      'a text that breaks off',
      async () => (await packNetwork('x', FILE)).slice(0, -9),
      'it is incomplete or damaged',
    ],
    ['what no lab packed', async () => damaged('no line ends'), 'it was not made by a lab'],
    ['a title without end', async () => damaged(`${'x'.repeat(200)}\n{}`), 'it was not made by a lab'],
    [
      'a bomb',
      async () => deflateRawSync(Buffer.alloc(20 << 20)).toString('base64url'),
      'it is incomplete or damaged',
    ],
    [
      'another file',
      async () => packNetwork('x', '{"format":"zigzag-graph","version":1}'),
      'vertices: expected a list, got nothing',
    ],
    ['nothing', async () => packNetwork('x', ''), 'the file is empty'],
  ])(
    'is refused with one sentence if it holds %s, and the default network is shown',
    async (_what, net, reason) => {
      const { view } = await opened(linkOf(await net()));
      expect(view().experiment.model).toBe('resnet50');
      expect(view().notices).toHaveLength(1);
      expect(view().notices[0]).toContain(`The link’s network cannot be read: ${reason}`);
      expect(view().notices[0]).toMatch(/resnet50 is shown instead\.$/);
      expect(writeAddress(view())).not.toContain('net=');
    },
  );

  it.each(['a b', 'x'.repeat(MAX_CARRIED + 1), Array(9).fill('x').join(','), ''])(
    'is refused before unpacking if invalid: case %#',
    async (net) => {
      const { faults, carried } = readAddress(linkOf(encodeURIComponent(net)), SCREENS);
      expect(faults).toEqual(['The link’s network cannot be read: it is damaged or too large.']);
      expect(carried).toBeUndefined();
    },
  );

  it('says that it contains no network if it only names one', async () => {
    const { view } = await opened('#/compare?model=file:link-2&batch=8&strategies=regular');
    expect(view().notices[0]).toContain('the link does not contain it');
  });
});

async function peakOf(model: string) {
  const { workspace } = openLab({ link: `#/compare?model=${model}&batch=8&strategies=regular` });
  const end = workspace.start();
  await until(() => workspace.comparison.get().shown !== null);
  const [row] = workspace.comparison.get().shown?.solved.values() ?? [];
  end();
  return { peakBytes: row?.row.peakBytes };
}

function stubClipboard(): string[] {
  const copied: string[] = [];
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  return copied;
}

const about = (site: string | null) => async () => ({
  version: '1',
  carrier: 'test',
  platform: 'x',
  logicalCpus: 1,
  memoryBytes: null,
  site,
});

describe('a copied link', () => {
  it('leads to the site with the network inside, and opens there unchanged', async () => {
    const copied = stubClipboard();
    const { workspace, view } = await opened(linkOf(await packNetwork('Mine', FILE)), {
      about: about('https://example.org/z/'),
    });
    workspace.experiment.carry({ [view().experiment.model]: '' });
    await copySiteLink(workspace);
    const [link = ''] = copied;
    expect(link).toMatch(/^https:\/\/example\.org\/z\/#\/compare\?model=file%3Alink-1&.*&net=[\w-]+$/);
    expect(view().notices).toEqual([
      expect.stringContaining('leads to https://example.org/z/ and needs no lab'),
    ]);
    const there = await opened(new URL(link).hash);
    expect(there.view().notices).toEqual([]);
    expect(there.view().experiment.batch).toBe(8);
  });

  it('is not offered without a known site', async () => {
    const copied = stubClipboard();
    const { workspace, view } = await opened('#/compare?model=vgg11&batch=8&strategies=regular', {
      about: about(null),
    });
    await copySiteLink(workspace);
    expect(copied).toEqual([]);
    expect(view().notices[0]).toMatch(/^This lab has no static site. .*ZIGZAG_SITE/);
  });

  it('names the size of a network too large for a link', async () => {
    const noise = Array.from({ length: 60_000 }, (_, i) =>
      (Math.imul(i, 2654435761) >>> 0).toString(36),
    ).join('');
    const client = { exportFile: async () => ({ text: noise }) };
    const view = readAddress('#/compare?model=file:0123456789abcdef&batch=8&strategies=regular', SCREENS);
    const tooLarge = packNetworks(client as never, view.experiment, () => 'Huge');
    await expect(tooLarge).rejects.toThrow(
      /^The network “Huge” is too large for a link: packed it has \d+,\d{3} letters, and a link holds 32,000\. Send its file instead\.$/,
    );
  });

  it('is the address in a lab with a server, naming its files', async () => {
    const copied = stubClipboard();
    const { workspace } = await opened('#/compare?model=vgg11&batch=8&strategies=regular');
    await copyViewLink(workspace);
    expect(copied).toEqual([window.location.href]);
  });
});
