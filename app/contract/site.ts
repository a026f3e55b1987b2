/**
 * The lab as static files: how its page finds the worker that answers in place of a server. Each is a `<meta name>` of
 * the page, which the build of the site writes; the page is the same otherwise.
 */

/** Address of the host's worker, from the page's. */
export const SITE_HOST = 'zigzag-host';
/** Address of the desktop app's downloads, if the builder of the site set one. */
export const SITE_DOWNLOADS = 'zigzag-downloads';

export const NO_TRAINER = 'this site has no trainer; training needs the desktop app';

const said = (name: string): string | null =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null;

/** Address of the worker that answers this page; null where a server or the desktop does. For a page only. */
export const siteHost = (): string | null => said(SITE_HOST);

/** Address of the desktop app's downloads; null when none was set. For a page only. */
export const siteDownloads = (): string | null => said(SITE_DOWNLOADS);
