import { failureOf } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { copyText, LINK_NOT_COPIED } from '../../shared/copy-text.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { writeAddress } from '../experiment/address.ts';
import { packNetworks } from '../files/carried-networks.ts';
import type { Carried } from '../experiment/address.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { GAME_PANEL } from './open-game.ts';

/** Limit of one value in an address. */
const MAX_RIVAL = 200;

/**
 * The address of a game for others: the network at its size, without a checkpoint of the sender. What the sender
 * reached comes along as the set itself, which is judged again where it is opened, and not shown.
 *
 * @param rival the sender's set (set-text.ts); null for none
 */
export function challengeAddress(
  experiment: Experiment,
  rival: string | null,
  carried: Carried = {},
): string {
  const { checkpoints: _checkpoints, also: _also, plan: _plan, budgetBytes: _budget, ...rest } = experiment;
  const brings = rival !== null && rival.length <= MAX_RIVAL;
  return writeAddress({
    screen: 'graph',
    experiment: { ...rest, strategies: ['regular'] },
    selected: null,
    view: { panel: GAME_PANEL, ...(brings ? { rival } : {}) },
    carried,
  });
}

/** Reach of a link where no static site is known. */
const REACH = {
  desktop:
    ' It opens in the desktop app. To share it with browsers, start the lab with a static site’s address in ZIGZAG_SITE.',
  browser:
    ' This link works only on this computer. To share it, start the lab with a static site’s address in ZIGZAG_SITE.',
} as const;

/**
 * Copies a link to a game. It leads to the static site where that is known, else to this lab; a network from a file
 * comes along.
 *
 * @returns what came of it, in one sentence
 */
export async function copyChallenge(
  { connection, experiment: store, catalog }: Pick<Workspace, 'connection' | 'experiment' | 'catalog'>,
  rival: string | null,
): Promise<string> {
  try {
    const { also: _also, ...experiment } = store.get().experiment;
    const titleOf = (model: string): string =>
      catalog.get().models.find(({ name }) => name === model)?.title ?? model;
    const carried = await packNetworks(connection.client, experiment, titleOf);
    const here = window.location.href.replace(/#.*$/, '');
    const site = connection.place === 'site' ? null : (await connection.client.about()).site;
    const link = (site ?? here) + challengeAddress(experiment, rival, carried);
    if (!(await copyText(link))) return LINK_NOT_COPIED;
    const brings =
      rival === null
        ? 'It carries no score.'
        : rival.length > MAX_RIVAL
          ? 'It carries no score, because the network is too large.'
          : 'It carries your score; the lab that opens it checks the score.';
    const where = connection.place === 'site' || site !== null ? '' : REACH[connection.place];
    return `Challenge copied. ${brings}${where}`;
  } catch (error) {
    return asSentence(failureOf(error).message);
  }
}
