import { readFileSync } from 'node:fs';

/** Name of the isolated world, which its preload script shares with no page. */
export const WORLD = 'standin:preload';

/**
 * In the page's own world: makes what the preload script exposes, whose calls cross as text. A port cannot cross here
 * either, as in Electron. Nothing else of the stand-in is to be seen there.
 */
export const MAIN_WORLD = `document.addEventListener('standin:expose', ({ detail }) => {
  const { name, keys } = JSON.parse(detail);
  const call = (key) => (...args) => {
    document.dispatchEvent(new CustomEvent('standin:call:' + name, { detail: JSON.stringify({ key, args }) }));
  };
  const value = Object.freeze(Object.fromEntries(keys.map((key) => [key, call(key)])));
  Object.defineProperty(window, name, { value, enumerable: true });
});
// Electron lets every page close its window, Chromium only those that a page opened.
window.close = () => document.dispatchEvent(new CustomEvent('standin:close'));
const { requestDevice } = globalThis.GPUAdapter?.prototype ?? {};
if (requestDevice !== undefined) {
  GPUAdapter.prototype.requestDevice = async function (...wanted) {
    const device = await requestDevice.apply(this, wanted);
    document.addEventListener('standin:lose-gpu', () => device.destroy());
    return device;
  };
}`;

/** @param world the built page-world.ts @param preload a built preload script */
export function isolatedWorld(world: string, preload: string | null): string {
  const script = preload === null ? '' : readFileSync(preload, 'utf8');
  return `(() => {
    const runPreload = (require) => {
      const [module, exports, process] = [{ exports: {} }, {}, { type: 'renderer', sandboxed: true }];
      ${script}
    };
    ${readFileSync(world, 'utf8')}
  })();`;
}
