/** A file's bytes in base64, as a `data:` address: they travel in the bundle. */
declare module '*.wasm?url&inline' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: how Vite exports files
  export default address;
}
