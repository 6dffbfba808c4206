import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import {
  App,
  CastellanStack,
  ContainerApp,
  SecurityGroup,
  Workspace,
} from '../../constructs/index.js';
import { Fn, TerraformIterator, TerraformVariable } from '../../constructs/internal/cdktf.js';
import { fullDeclarations } from './support/full-declarations.js';
import { westEurope } from './support/synthesized.js';

type Path = readonly (string | number)[];
type Props = Readonly<Record<string, unknown>>;

const variable = (stack: CastellanStack): TerraformVariable =>
  new TerraformVariable(stack, 'later', { type: 'any' });

/**
 * Values that cdktf types as any, and that people pass wherever something is known at apply; those
 * of an iterator go the way of a variable's, so that `npm run test:long` tries them.
 */
const tokens: Readonly<Record<string, (stack: CastellanStack) => unknown>> = {
  'variable.value': (stack) => variable(stack).value,
  ...(process.env['CASTELLAN_PROPERTY_RUNS'] !== undefined && {
    'iterator.value': (stack: CastellanStack) =>
      TerraformIterator.fromList(variable(stack).listValue as string[]).value,
  }),
};

/** The paths of all values, and of what contains them. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  const ownPath = path.length === 0 ? [] : [path];
  if (Array.isArray(value))
    return [...ownPath, ...value.flatMap((each, index) => pathsIn(each, [...path, index]))];
  if (
    value === null ||
    typeof value !== 'object' ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return ownPath;
  return [
    ...ownPath,
    ...Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, key])),
  ];
}

function withValue(props: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(props))
    return props.map((each: unknown, index) =>
      index === key ? withValue(each, rest, value) : each,
    );
  return { ...(props as Props), [key]: withValue((props as Props)[key], rest, value) };
}

/** What becomes of a declaration: the written Terraform JSON, or the message of the error. */
function outcome(declare: (stack: CastellanStack) => unknown): string {
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-tokens-'));
  try {
    const app = new App({ outdir });
    declare(new CastellanStack(app, 'shop', westEurope));
    app.synth();
    return readFileSync(join(outdir, 'stacks/shop/cdk.tf.json'), 'utf8');
  } catch (error) {
    if (error instanceof CastellanError) return error.message;
    throw error;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Not in Terraform, as others decide: the issuer, and the policy of the stack. */
const decidedElsewhere = new Set([
  'auth.providers.directory.tenantId',
  'expirationPolicy.renewable',
]);

/** The paths at which a token is neither written nor refused because the structure must be known. */
function lostPaths(name: string, token: (stack: CastellanStack) => unknown): readonly string[] {
  const [Kind, propsOf] = fullDeclarations[name]!;
  const sample = propsOf(new CastellanStack(new App(), 'sample', westEurope));
  const lost: string[] = [];
  for (const path of pathsIn(sample)) {
    const result = outcome((stack) => {
      new Kind(stack, 'x', withValue(propsOf(stack), path, token(stack)) as never);
    });
    const isWritten = /var\.later|each\.value/.test(result) && !/TfToken|\[object/.test(result);
    const isRefused = /must be known at synth|the type of .* is not known/.test(result);
    if (isWritten || isRefused || decidedElsewhere.has(path.join('.'))) continue;
    lost.push(`${path.join('.')}: ${result.slice(0, 200)}`);
  }
  return lost;
}

describe('a value that is known only at apply, in the place of any other', () => {
  describe.each(Object.keys(tokens))('%s', (token) => {
    it.each(Object.keys(fullDeclarations))('is written or refused: %s', (name) => {
      expect(lostPaths(name, tokens[token]!)).toEqual([]);
    });
  });

  it('is refused by name where it decides what is created', () => {
    const roles = (stack: CastellanStack) =>
      new Workspace(stack, 'w', { displayName: 'W', roles: variable(stack).value as never });
    expect(outcome(roles)).toBe(
      'shop/w: roles decides what is created and must be known at synth: pass a literal value; texts, numbers and lists in it may be known at apply',
    );
  });

  it('is taken from a list by Fn.element, and not by an index', () => {
    const list = (stack: CastellanStack): string[] => variable(stack).listValue as string[];
    const group = (stack: CastellanStack, displayName: string) =>
      new SecurityGroup(stack, 'g', { displayName });
    expect(outcome((stack) => group(stack, list(stack)[0]!))).toBe(
      'shop/g: displayName is an entry of a list that is known only at apply: write Fn.element(list, 0) instead of list[0]',
    );
    expect(outcome((stack) => group(stack, Fn.element(list(stack), 0) as string))).toContain(
      '${element(var.later, 0)}',
    );
  });

  it('gives the memory of cores that are known only at apply', () => {
    const app = (stack: CastellanStack) =>
      new ContainerApp(stack, 'web', {
        image: 'nginx:1',
        cpu: variable(stack).numberValue as number,
      });
    expect(outcome(app)).toContain('"memory": "${(var.later * 2)}Gi"');
  });

  it('adds tags to those of the stack', () => {
    const app = (stack: CastellanStack) =>
      new ContainerApp(stack, 'web', { image: 'nginx:1', tags: variable(stack).value as never });
    const outdir = mkdtempSync(join(tmpdir(), 'castellan-tokens-'));
    const program = new App({ outdir });
    app(
      new CastellanStack(program, 'shop', {
        azure: { ...westEurope.azure, tags: { team: 'shop' } },
      }),
    );
    program.synth();
    expect(readFileSync(join(outdir, 'stacks/shop/cdk.tf.json'), 'utf8')).toContain(
      '"tags": "${merge({\\"team\\" = \\"shop\\"}, var.later)}"',
    );
    rmSync(outdir, { recursive: true });
  });
});
