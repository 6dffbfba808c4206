import { type CastellanMatchers, matchers } from './matchers.js';
export { matchers };

export type { CastellanMatchers, DeclaredProperties, MatcherResult } from './matchers.js';

declare global {
  // vitest's assertions extend jest.Matchers, too
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- the runners' own parameters, ours in one interface
    interface Matchers<R, T> extends CastellanMatchers<R> {}
  }
}

const runner = globalThis as { expect?: { extend?: (matchers: object) => void } };
if (runner.expect?.extend === undefined)
  throw new Error(
    "castellan/testing/jest extends the global expect, and there is none: import { matchers } from 'castellan/testing' and call expect.extend(matchers)",
  );
runner.expect.extend(matchers);
