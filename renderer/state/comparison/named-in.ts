/** The first network of the catalogue that a message names ("did you mean resnet50?"). */
export function namedIn<M extends { readonly name: string }>(
  message: string,
  models: readonly M[],
): M | undefined {
  for (const word of message.split(/[^\w-]+/)) {
    const found = models.find(({ name }) => name === word);
    if (found !== undefined) return found;
  }
  return undefined;
}
