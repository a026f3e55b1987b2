import { isPage, type PageId } from './lessons.ts';

/** Parameters of a page in the link: `k=7`. */
export type PageParams = Readonly<Record<string, string>>;

export interface PageState {
  readonly page: PageId;
  readonly params: PageParams;
  /** Shown to a room: large, and alone. */
  readonly lecture?: true;
}

const PAGE = 'lesson';
const LECTURE = 'lecture';
export const FIRST_PAGE: PageId = 'regular';

/** The page that the view part of an address names; null where it names none. */
export function readPage(view: PageParams): PageState | null {
  const { [PAGE]: page, [LECTURE]: _lecture, ...params } = view;
  return isPage(page) ? { page, params, ...(isLecture(view) ? { lecture: true } : {}) } : null;
}

export const writePage = ({ page, params, lecture }: PageState): PageParams => ({
  ...params,
  [PAGE]: page,
  ...(lecture === undefined ? {} : { [LECTURE]: '1' }),
});

export const isLecture = (view: PageParams | undefined): boolean => view?.[LECTURE] === '1';

/** Parameters after a change; what is undefined leaves the link. */
export function withParams(
  params: PageParams,
  part: Readonly<Record<string, string | number | undefined>>,
): PageParams {
  const next: Record<string, string> = { ...params };
  for (const [name, value] of Object.entries(part)) {
    if (value === undefined) delete next[name];
    else next[name] = String(value);
  }
  return next;
}

/** A whole number of a link, kept within its limits; `usual` if none exists. */
export function wholeNumber(text: string | undefined, least: number, most: number, usual: number): number {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? Math.min(Math.max(Math.round(value), least), most) : usual;
}

export function oneOf<T extends string>(text: string | undefined, words: readonly T[], usual: T): T {
  return words.find((word) => word === text) ?? usual;
}
