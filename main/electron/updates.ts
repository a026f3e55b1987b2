import type { Dialog, Session, Shell } from 'electron';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isExternalLink } from './address.ts';
import type { LabWindows } from './lab-windows.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** Time limit for an answer: the user waits at the menu. */
const LIMIT_MS = 15_000;
const MAX_BYTES = 256 * 1024;
const DOWNLOAD = 'Download in the Browser';

/** Fields read from electron-builder's `latest*.yml`; channels other than `latest` write versions in other forms. */
const feedSchema = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  files: z.array(z.object({ url: z.string() })).default([]),
});

export type UpdateAnswer =
  | { readonly kind: 'current' }
  /** `download`: the address of the package for this machine; null if the feed names none that may be opened. */
  | { readonly kind: 'newer'; readonly version: string; readonly download: string | null }
  | { readonly kind: 'unknown'; readonly why: string };

export interface UpdateQuestion {
  /** Address of the folder of the feed. */
  readonly feed: string;
  /** Version of this program. */
  readonly version: string;
  readonly fetch: (address: string, init: { readonly signal: AbortSignal }) => Promise<Response>;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  /** On Linux, an AppImage is replaced by an AppImage. */
  readonly isAppImage?: boolean;
  readonly limitMs?: number;
}

/**
 * Address of the update feed that the program was packed with (`ZIGZAG_UPDATES` of `npm run dist`); null if it has none
 * and never looks for updates.
 */
export function updateFeed(appPath: string): string | null {
  try {
    const { updates } = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8'));
    return typeof updates === 'string' && URL.canParse(updates) ? updates : null;
  } catch {
    return null;
  }
}

/** electron-builder's file name for a system. */
export function feedFile(platform: NodeJS.Platform, arch: string): string {
  if (platform === 'win32') return 'latest.yml';
  if (platform === 'darwin') return 'latest-mac.yml';
  return `latest-linux${arch === 'x64' ? '' : `-${arch}`}.yml`;
}

/** Reads the feed once and fetches nothing else. Never throws. */
export async function lookForUpdate(question: UpdateQuestion): Promise<UpdateAnswer> {
  const { feed, version, platform = process.platform, arch = process.arch, limitMs = LIMIT_MS } = question;
  const base = feed.endsWith('/') ? feed : `${feed}/`;
  const address = new URL(feedFile(platform, arch), base);
  const unknown = (why: string): UpdateAnswer => ({ kind: 'unknown', why });
  let text: string;
  try {
    const answer = await question.fetch(address.href, { signal: AbortSignal.timeout(limitMs) });
    if (!answer.ok) return unknown(`${address.host} answered with ${answer.status}`);
    text = await textOf(answer);
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return unknown(
      isLate
        ? `${address.host} did not answer within ${Math.ceil(limitMs / 1000)} seconds`
        : `${address.host} could not be reached`,
    );
  }
  const read = feedSchema.safeParse(parsed(text));
  if (!read.success) return unknown(`the answer of ${address.host} is not a list of releases`);
  const { version: latest, files } = read.data;
  if (!isNewer(latest, version)) return { kind: 'current' };
  const isWanted = wantedFile(platform, question.isAppImage ?? false);
  const file = files.find(({ url }) => isWanted.test(url))?.url;
  const download = file === undefined || !URL.canParse(file, base) ? null : new URL(file, base).href;
  return {
    kind: 'newer',
    version: latest,
    download: download !== null && isExternalLink(download) ? download : null,
  };
}

function wantedFile(platform: NodeJS.Platform, isAppImage: boolean): RegExp {
  if (platform === 'win32') return /\.exe$/;
  if (platform === 'darwin') return /\.dmg$/;
  return isAppImage ? /\.AppImage$/ : /\.deb$/;
}

/** @throws if it is longer than any list of releases */
async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch {
    return null;
  }
}

/** @param latest three numbers @param own the same, perhaps of a pre-release (`1.0.0-beta.1`) */
function isNewer(latest: string, own: string): boolean {
  const [core = '', before] = own.split('-', 2);
  const order = latest.localeCompare(core, 'en', { numeric: true });
  return order > 0 || (order === 0 && before !== undefined);
}

interface UpdateParts {
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly shell: Pick<Shell, 'openExternal'>;
  readonly windows: Pick<LabWindows, 'show'>;
  /** With its own network access: the page's session has none. */
  readonly session: () => Pick<Session, 'fetch'>;
  readonly feed: string;
  readonly version: string;
}

/** Menu entry: looks for an update, shows the result, and opens the download in the browser on request. */
export function updateCheck({ dialog, shell, windows, session, feed, version }: UpdateParts): () => void {
  return oneAtATime(async () => {
    const network = session();
    const answer = await lookForUpdate({
      feed,
      version,
      fetch: (address, init) => network.fetch(address, { ...init, cache: 'no-store', credentials: 'omit' }),
      isAppImage: process.env['APPIMAGE'] !== undefined,
    });
    const { window } = windows.show();
    if (answer.kind === 'newer') {
      const { download } = answer;
      const { response } = await dialog.showMessageBox(window, {
        type: 'info',
        title: 'Zigzag',
        message: `Zigzag ${answer.version} is out`,
        detail: `This is ${version}. Nothing is downloaded automatically.`,
        buttons: download === null ? ['OK'] : [DOWNLOAD, 'Not Now'],
        defaultId: 0,
        cancelId: download === null ? 0 : 1,
      });
      if (download !== null && response === 0) await shell.openExternal(download);
      return;
    }
    const isCurrent = answer.kind === 'current';
    await dialog.showMessageBox(window, {
      type: isCurrent ? 'info' : 'warning',
      title: 'Zigzag',
      message: isCurrent ? `Zigzag ${version} is up to date` : 'Checking for updates failed',
      detail: isCurrent ? '' : `${answer.why}; try again later.`,
      buttons: ['OK'],
    });
  });
}
