import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { checkStack } from '../../../policies/check/check-stack.js';
import { loadConfig } from '../../../policies/model/load-config.js';
import { runs } from '../../support/property-tests.js';

const storefront = parse(
  readFileSync(join(__dirname, '../../../examples/storefront/castellan.yaml'), 'utf8'),
) as object;

/** Every path of a value. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function withReplacement(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  const copy = (
    Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }
  ) as Record<string, unknown>;
  if (rest.length === 0 && replacement === undefined) delete copy[step];
  else copy[step] = withReplacement(copy[step], rest, replacement);
  return copy;
}

describe('a check', () => {
  it('never throws and locates every mistake, whatever is written', async () => {
    const junk = fc.constantFrom<unknown>(
      undefined,
      null,
      '',
      'x',
      0,
      -1,
      1.5,
      true,
      [],
      {},
      [null],
      [[]],
      [{}],
      { x: null },
      '${env:X}',
      '__proto__',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...pathsOf(storefront)), junk), {
          minLength: 1,
          maxLength: 3,
        }),
        async (changes) => {
          const value = changes.reduce<unknown>((current, [path, replacement]) => {
            const parent = path
              .slice(0, -1)
              .reduce<unknown>(
                (each, step) => (each as Record<string, unknown> | null | undefined)?.[step],
                current,
              );
            return parent !== null && typeof parent === 'object'
              ? withReplacement(current, path, replacement)
              : current;
          }, storefront);
          const bytes = Buffer.from(JSON.stringify(value) ?? 'null');
          const files = {
            stat: () => ({ kind: 'file', size: bytes.length }) as const,
            read: () => bytes,
            list: () => [],
          };
          const { stacks } = await loadConfig({ paths: ['castellan.yaml'], files });
          for (const stack of stacks)
            for (const finding of checkStack(stack, { env: {} }))
              expect(finding.location?.line).toBe(1);
        },
      ),
      { numRuns: runs(300) },
    );
  }, 120_000);
});
