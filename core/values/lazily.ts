/** An object whose properties are computed on first access. */
export function lazily<Values extends object>(makers: {
  readonly [Name in keyof Values]: () => Values[Name];
}): Values {
  const object = {} as Values;
  for (const name of Object.keys(makers) as (keyof Values)[]) {
    const get = (): Values[keyof Values] => {
      const value = makers[name]();
      Object.defineProperty(object, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(object, name, { get, enumerable: true, configurable: true });
  }
  return object;
}
