/** A piece of a headline: figures stand out, a strategy's name carries its line. */
export interface HeadlinePart {
  readonly text: string;
  readonly role: 'text' | 'figure' | 'strategy';
}

export const text = (value: string): HeadlinePart => ({ text: value, role: 'text' });
export const figure = (value: string): HeadlinePart => ({ text: value, role: 'figure' });
