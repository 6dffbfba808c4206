import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group } from '@cdktf/provider-azuread/lib/group';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import {
  App,
  Aspects,
  Construct,
  Fn,
  Lazy,
  TerraformLocal,
  TerraformOutput,
  TerraformResource,
  type TerraformStack,
  TerraformVariable,
  Token,
} from '../../../../constructs/internal/cdktf';
import * as fc from 'fast-check';

/** A resource with any attributes. */
export class Anything extends TerraformResource {
  constructor(
    scope: Construct,
    id: string,
    private readonly attributes: Record<string, unknown>,
  ) {
    super(scope, id, {
      terraformResourceType: 'test_thing',
      terraformGeneratorMetadata: { providerName: 'terraform' },
    });
  }
  protected override synthesizeAttributes(): Record<string, unknown> {
    return this.attributes;
  }
}

/** Something in a stack: plain words, so that a failing tree can be read. */
type Thing =
  | {
      readonly is: 'thing';
      readonly attributes: Record<string, Value>;
      readonly override?: readonly [string, Value] | undefined;
    }
  | {
      readonly is: 'group';
      readonly owners: readonly string[];
      readonly imported?: string | undefined;
    }
  | { readonly is: 'output' | 'local'; readonly value: Value }
  | { readonly is: 'variable'; readonly description: string }
  | { readonly is: 'moved'; readonly to: string }
  | { readonly is: 'same name'; readonly name: string; readonly attributes: Record<string, Value> }
  | { readonly is: 'nested'; readonly things: readonly Thing[] };

/** A value: data, or how to make a token that refers to what was made before. */
type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [key: string]: Value }
  | {
      readonly token:
        | 'text'
        | 'list'
        | 'number'
        | 'map'
        | 'lazy'
        | 'function'
        | 'inside'
        | 'key'
        | 'other stack'
        | 'date';
      readonly at: number;
    };

export interface Tree {
  readonly stacks: readonly {
    readonly things: readonly Thing[];
    readonly override?: Value | undefined;
  }[];
  readonly aspect: boolean;
}

const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '${upper("a")}',
    '$${escaped}',
    '${',
    'a-4e123',
    '-1e5',
    '1e300',
    'TfToken',
    '"',
    'line\nbreak',
    '%{if}',
    '0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60',
  ),
);
const key = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'display_name',
    '10',
    '9',
    'tags',
    'environment',
    'toString',
    'constructor',
  ),
  fc.string({ minLength: 1, maxLength: 4 }),
);
const token = fc.record({
  token: fc.constantFrom(
    'text',
    'list',
    'number',
    'map',
    'lazy',
    'function',
    'inside',
    'key',
    'other stack',
    'date',
  ),
  at: fc.nat(20),
});
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.oneof(fc.integer(), fc.double({ noNaN: true })),
    fc.boolean(),
    fc.constantFrom(null, undefined),
    token as fc.Arbitrary<Value>,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));
const attributes = fc.dictionary(key, value, { maxKeys: 4 });
const { thing } = fc.letrec<{ thing: Thing }>((tie) => ({
  thing: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      is: fc.constant('thing' as const),
      attributes,
      override: fc.option(
        fc.tuple(fc.constantFrom('a', 'a.b', 'lifecycle.prevent_destroy'), value),
        { nil: undefined },
      ),
    }),
    fc.record({
      is: fc.constant('group' as const),
      owners: fc.array(fc.uuid(), { maxLength: 2 }),
      imported: fc.option(fc.uuid(), { nil: undefined }),
    }),
    fc.record({ is: fc.constantFrom('output' as const, 'local' as const), value }),
    fc.record({ is: fc.constant('variable' as const), description: text }),
    fc.record({
      is: fc.constant('moved' as const),
      to: fc.constantFrom('test_thing.a', 'test_thing.b'),
    }),
    fc.record({
      is: fc.constant('same name' as const),
      name: fc.constantFrom('x', 'y'),
      attributes,
    }),
    fc.record({
      is: fc.constant('nested' as const),
      things: fc.array(tie('thing'), { maxLength: 3 }),
    }),
  ),
}));
/** Any tree of stacks. */
export const tree: fc.Arbitrary<Tree> = fc.record({
  stacks: fc.array(
    fc.record({
      things: fc.array(thing, { maxLength: 6 }),
      override: fc.option(value, { nil: undefined, freq: 8 }),
    }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  aspect: fc.boolean(),
});

/**
 * Builds a tree on one class of stacks and answers with every file that is written, or with the
 * message of the error.
 */
export function written(
  Stack: typeof TerraformStack,
  { stacks, aspect }: Tree,
): Record<string, string> | string {
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-fast-'));
  try {
    const app = new App({ outdir, skipValidation: true });
    const made: { readonly stack: TerraformStack; readonly element: Group | Anything }[] = [];
    stacks.forEach(({ things, override }, index) => {
      const stack = new Stack(app, `stack-${index}`);
      new AzureadProvider(stack, 'azuread', {});
      build(stack, things, stack, made);
      if (override !== undefined)
        stack.addOverride('resource.test_thing.x.added', realValue(override, stack, made));
      if (aspect)
        Aspects.of(stack).add({
          visit: (node) => {
            if (node instanceof Group) node.description = `group ${node.node.id}`;
          },
        });
    });
    app.synth();
    return Object.fromEntries(
      readdirSync(outdir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [
          join(entry.parentPath, entry.name).slice(outdir.length),
          readFileSync(join(entry.parentPath, entry.name), 'utf8').replaceAll(outdir, ''),
        ]),
    );
  } catch (error) {
    return (error as Error).message
      .replaceAll(/\nObject creation stack:[\s\S]*/g, '')
      .replaceAll(/TOKEN\.\d+/g, 'TOKEN');
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

type Made = { readonly stack: TerraformStack; readonly element: Group | Anything }[];

function build(
  scope: Construct,
  things: readonly Thing[],
  stack: TerraformStack,
  made: Made,
): void {
  things.forEach((each, index) => {
    const id = `${each.is.replace(' ', '-')}-${index}`;
    const real = (given: Value): unknown => realValue(given, stack, made);
    if (each.is === 'nested') build(new Construct(scope, id), each.things, stack, made);
    else if (each.is === 'output') new TerraformOutput(scope, id, { value: real(each.value) });
    else if (each.is === 'local') new TerraformLocal(scope, id, real(each.value));
    else if (each.is === 'variable')
      new TerraformVariable(scope, id, { description: each.description, type: 'string' });
    else {
      const element =
        each.is === 'group'
          ? new Group(scope, id, { displayName: id, owners: [...each.owners] })
          : new Anything(
              scope,
              id,
              each.is === 'moved'
                ? {}
                : (real((each as { attributes: Record<string, Value> }).attributes) as Record<
                    string,
                    unknown
                  >),
            );
      if (each.is === 'same name') element.overrideLogicalId(each.name);
      if (each.is === 'moved') element.moveToId(each.to);
      if (each.is === 'group' && each.imported !== undefined) element.importFrom(each.imported);
      if (each.is === 'thing' && each.override !== undefined)
        element.addOverride(each.override[0], real(each.override[1]));
      made.push({ stack, element });
    }
  });
}

/** Data as it is, tokens as cdktf makes them. */
function realValue(given: Value, stack: TerraformStack, made: Made): unknown {
  const real = (each: Value): unknown => realValue(each, stack, made);
  if (Array.isArray(given)) return given.map(real);
  if (given === null || typeof given !== 'object') return given;
  if (!('token' in given && 'at' in given))
    return Object.fromEntries(
      Object.entries(given as Record<string, Value>).map(([name, each]) => [name, real(each)]),
    );
  const { token: kind, at } = given as { token: string; at: number };
  const own = made.filter((each) => (each.stack === stack) === (kind !== 'other stack'));
  const target = own[at % Math.max(own.length, 1)]?.element;
  if (kind === 'date') return new Date(at * 86_400_000);
  if (kind === 'lazy')
    return Lazy.stringValue({ produce: () => (at % 3 === 0 ? undefined : `lazy \${${at}}`) });
  if (kind === 'function') return Fn.join('-', ['a', Token.asString(Fn.lower('B')), `\${${at}}`]);
  if (target === undefined) return 'nothing to refer to';
  if (kind === 'list') return target.getListAttribute('owners');
  if (kind === 'number')
    return at % 2 === 0
      ? target.getNumberAttribute('count')
      : `${target.getNumberAttribute('count')} and "\${more}"`;
  if (kind === 'map') return target.getStringMapAttribute('tags');
  if (kind === 'key') return { [target.getStringAttribute('id')]: 'value' };
  if (kind === 'inside') return `a \${"b"} ${target.getStringAttribute('id')} c`;
  return target.getStringAttribute('object_id');
}
