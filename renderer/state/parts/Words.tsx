import { Term } from './Term.tsx';

/** A text in which `[words](term)` leads to the glossary. */
export function Words({ children }: { readonly children: string }) {
  return children.split(/\[([^\]]+)\]\(([\w-]+)\)/).map((part, i, all) =>
    i % 3 === 0
      ? part
      : i % 3 === 1 && (
          <Term key={part} id={all[i + 1]!}>
            {part}
          </Term>
        ),
  );
}
