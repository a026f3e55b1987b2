import { useMediaQuery } from '@mantine/hooks';

const AT_ONCE = { getInitialValueInEffect: false };

/** True where nothing fits beside the screen in front: a tablet, a window at twice the size, or a low one, as in the style sheets. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 1000px), (max-height: 560px)', undefined, AT_ONCE) ?? false;

/** True on a phone held upright. */
export const usePhone = (): boolean =>
  useMediaQuery('(max-width: 700px) and (orientation: portrait)', undefined, AT_ONCE) ?? false;
