/**
 * Holds only where a stand-in has nothing that Electron has not: every public name of its own must be a name of the
 * real one. That it is called in the same way is `implements Pick<…>` of each class.
 */
export type NothingElse<Own, Real> = Exclude<keyof Own & string, keyof Real> extends never ? true : never;

/** An event of Electron, as far as listeners here look at it. */
export interface StandInEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function event<Extra extends object>(extra?: Extra): StandInEvent & Extra {
  const made = {
    defaultPrevented: false,
    preventDefault() {
      made.defaultPrevented = true;
    },
  };
  return Object.assign(made, extra);
}
