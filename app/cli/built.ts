/**
 * The address of another built part. The bundler may put this module into a folder of shared chunks
 * beside the entries, so the parts are looked for one level up there.
 */
export function builtPart(file: string): URL {
  const here = new URL('.', import.meta.url);
  return new URL(file, here.pathname.endsWith('/chunks/') ? new URL('..', here) : here);
}
