/** The way to a value inside a resource: attribute names, list positions, map keys. */
export type Path = readonly PathStep[];

/** One step of a path: the name of an attribute or block, the position in a list, or the key of a map. */
export type PathStep = string | number | { readonly key: string };

/** The path as the wire carries it. A set's elements have no address of their own, so the path ends at the set. */
export function encodePath(path: Path): { steps: Record<string, string | number>[] } {
  return {
    steps: path.map((step): Record<string, string | number> => {
      if (typeof step === 'string') return { attributeName: step };
      return typeof step === 'number' ? { elementKeyInt: step } : { elementKeyString: step.key };
    }),
  };
}

/** The path as messages show it: `definition["eventstream.json"].source`, `template[0].container[1].cpu`. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'string') return index === 0 ? step : `.${step}`;
      return typeof step === 'number' ? `[${step}]` : `["${step.key}"]`;
    })
    .join('');
}
