import { failureOf } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { copyText, LINK_NOT_COPIED } from '../../shared/copy-text.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { writeAddress } from '../experiment/address.ts';
import { packNetworks } from '../files/carried-networks.ts';
import { GIVEN_PLAN } from '../files/given-plan.ts';
import type { Action } from '../page/actions.ts';
import type { Workspace } from '../workspace/workspace.ts';

type Desk = Pick<Workspace, 'connection' | 'experiment' | 'catalog'>;

const NO_SITE =
  'This lab has no static site. Upload the folder that “npm run site” builds to a web host, and start the lab with its address in ZIGZAG_SITE.';
export const COPY_VIEW_LINK = 'Copy a link to this view';

/**
 * Copies the address of this view; says whether that was allowed. On the static site, where no lab keeps files, it brings
 * the networks of opened files along where they are small enough.
 */
export async function copyViewLink(desk: Desk): Promise<boolean> {
  const { experiment: store, connection } = desk;
  const page = window.location.href.replace(/#.*$/, '');
  if (connection.place !== 'site') return copyText(window.location.href);
  const notice = await carry(desk).then(
    () => null,
    (error: unknown) => asSentence(failureOf(error).message),
  );
  if (notice !== null) store.settle(store.get().experiment, [notice]);
  return copyText(page + writeAddress(store.get()));
}

/** From now on the address itself brings the networks along, so that it can be loaded again. */
async function carry({ connection, experiment: store, catalog }: Desk): Promise<void> {
  store.carry(await packNetworks(connection.client, store.get().experiment, titles(catalog)));
}

const titles =
  (catalog: Workspace['catalog']) =>
  (model: string): string =>
    catalog.get().models.find(({ name }) => name === model)?.title ?? model;

/** Copies a link to this view on the static site, which works without this lab; says in the banner why it cannot. */
export async function copySiteLink({ connection, experiment: store, catalog }: Desk): Promise<void> {
  const say = (sentence: string): void => store.settle(store.get().experiment, [sentence]);
  try {
    const { site } = await connection.client.about();
    if (site === null) return say(NO_SITE);
    const view = store.get();
    const { experiment, lacks } = withoutPlan(view.experiment);
    const carried = await packNetworks(connection.client, experiment, titles(catalog));
    const link = site + writeAddress({ ...view, experiment, carried });
    if (!(await copyText(link))) return say(LINK_NOT_COPIED);
    say(`Link copied. It leads to ${site} and needs no lab.${lacks}`);
  } catch (error) {
    say(asSentence(failureOf(error).message));
  }
}

/** A plan is a file of this lab, and mostly larger than a link. */
function withoutPlan(experiment: Experiment): { readonly experiment: Experiment; readonly lacks: string } {
  const { plan, ...rest } = experiment;
  if (plan === undefined) return { experiment, lacks: '' };
  const others = rest.strategies.filter((name) => name !== GIVEN_PLAN);
  const strategies = others.length > 0 ? others : ['regular'];
  return { experiment: { ...rest, strategies }, lacks: ' Your plan is not in the link; send its file.' };
}

export function linkActions(desk: Desk): Action[] {
  const group = 'Experiment';
  const own: Action = {
    id: 'link',
    group,
    title: COPY_VIEW_LINK,
    words: 'share url send',
    run: () => void copyViewLink(desk),
  };
  if (desk.connection.place === 'site') return [own];
  return [
    own,
    {
      id: 'site-link',
      group,
      title: 'Copy a link that works without a lab',
      words: 'share url send static site everybody self-contained',
      run: () => void copySiteLink(desk),
    },
  ];
}
