const SECTION = '[data-section]';

/**
 * The elements that sections begin with: each part of the page, but sentences belong to what stands over them, pictures
 * to the fields that drive them, and a part that holds sections (exercises) is these.
 *
 * @param parts of the page, in order
 * @param isLead whether what follows a part belongs to it
 */
export function sectionStarts(
  parts: readonly Element[],
  isLead: (part: Element) => boolean,
): readonly Element[] {
  return parts.flatMap((part, i) => {
    const own = [...part.querySelectorAll(SECTION)];
    if (own.length > 0) return own;
    const before = parts[i - 1];
    return part.tagName === 'P' || (before !== undefined && isLead(before)) ? [] : [part];
  });
}

/** Pixels below the top within which a section has begun. */
const SLACK = 24;

/**
 * Index of the section in front: the last that has begun; at the end of the page the last of all.
 *
 * @param tops of the sections under the top of the window, in pixels
 */
export function sectionAt(tops: readonly number[], isAtEnd: boolean): number {
  if (isAtEnd) return Math.max(0, tops.length - 1);
  return Math.max(
    0,
    tops.findLastIndex((top) => top <= SLACK),
  );
}
