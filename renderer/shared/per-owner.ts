/** One value for each owner, made when it is first asked for: what a screen keeps as long as its workspace. */
export function perOwner<Owner extends object, T>(create: (owner: Owner) => T): (owner: Owner) => T {
  const known = new WeakMap<Owner, T>();
  return (owner) => {
    const value = known.get(owner) ?? create(owner);
    known.set(owner, value);
    return value;
  };
}
