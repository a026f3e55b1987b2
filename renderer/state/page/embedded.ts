/** True inside another page (`?embed` in the address): the screen is shown alone. */
export const isEmbedded = (): boolean => new URLSearchParams(window.location.search).has('embed');
