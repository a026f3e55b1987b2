/** Whether the page is shown inside another, as `?embed` of its address says: the screen alone, without what is around it. */
export const isEmbedded = (): boolean => new URLSearchParams(window.location.search).has('embed');
