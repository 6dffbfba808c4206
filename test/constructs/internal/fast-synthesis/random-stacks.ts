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

/** A resource of a made-up type with any attributes. */
export class AnyResource extends TerraformResource {
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

/** An element of a stack as plain data, so that the report of a failing tree is readable. */
type RandomElement =
  | {
      readonly kind: 'thing';
      readonly attributes: Record<string, Value>;
      readonly override?: readonly [string, Value] | undefined;
    }
  | {
      readonly kind: 'group';
      readonly owners: readonly string[];
      readonly imported?: string | undefined;
    }
  | { readonly kind: 'output' | 'local'; readonly value: Value }
  | { readonly kind: 'variable'; readonly description: string }
  | { readonly kind: 'moved'; readonly to: string }
  | {
      readonly kind: 'same name';
      readonly name: string;
      readonly attributes: Record<string, Value>;
    }
  | { readonly kind: 'nested'; readonly things: readonly RandomElement[] };

/**
 * A value: data, or a description of a token that refers to a resource created before, chosen by
 * `index`.
 */
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
      readonly index: number;
    };

export interface Tree {
  readonly stacks: readonly {
    readonly things: readonly RandomElement[];
    readonly override?: Value | undefined;
  }[];
  readonly hasAspect: boolean;
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
  index: fc.nat(20),
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
const { thing } = fc.letrec<{ thing: RandomElement }>((tie) => ({
  thing: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      kind: fc.constant('thing' as const),
      attributes,
      override: fc.option(
        fc.tuple(fc.constantFrom('a', 'a.b', 'lifecycle.prevent_destroy'), value),
        { nil: undefined },
      ),
    }),
    fc.record({
      kind: fc.constant('group' as const),
      owners: fc.array(fc.uuid(), { maxLength: 2 }),
      imported: fc.option(fc.uuid(), { nil: undefined }),
    }),
    fc.record({ kind: fc.constantFrom('output' as const, 'local' as const), value }),
    fc.record({ kind: fc.constant('variable' as const), description: text }),
    fc.record({
      kind: fc.constant('moved' as const),
      to: fc.constantFrom('test_thing.a', 'test_thing.b'),
    }),
    fc.record({
      kind: fc.constant('same name' as const),
      name: fc.constantFrom('x', 'y'),
      attributes,
    }),
    fc.record({
      kind: fc.constant('nested' as const),
      things: fc.array(tie('thing'), { maxLength: 3 }),
    }),
  ),
}));
/** Any tree of stacks. */
export const anyTree: fc.Arbitrary<Tree> = fc.record({
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
  hasAspect: fc.boolean(),
});

/**
 * Synthesizes a tree with one class of stacks, and returns the content of every written file by its
 * path, or the message of the error.
 */
export function synthesizedFiles(
  Stack: typeof TerraformStack,
  { stacks, hasAspect }: Tree,
): Record<string, string> | string {
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-fast-'));
  try {
    const app = new App({ outdir, skipValidation: true });
    const created: CreatedElements = [];
    stacks.forEach(({ things, override }, index) => {
      const stack = new Stack(app, `stack-${index}`);
      new AzureadProvider(stack, 'azuread', {});
      buildElements(stack, things, stack, created);
      if (override !== undefined)
        stack.addOverride('resource.test_thing.x.added', resolveValue(override, stack, created));
      if (hasAspect)
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

type CreatedElements = { readonly stack: TerraformStack; readonly element: Group | AnyResource }[];

function buildElements(
  scope: Construct,
  things: readonly RandomElement[],
  stack: TerraformStack,
  created: CreatedElements,
): void {
  things.forEach((each, index) => {
    const id = `${each.kind.replace(' ', '-')}-${index}`;
    const resolve = (data: Value): unknown => resolveValue(data, stack, created);
    if (each.kind === 'nested')
      buildElements(new Construct(scope, id), each.things, stack, created);
    else if (each.kind === 'output') new TerraformOutput(scope, id, { value: resolve(each.value) });
    else if (each.kind === 'local') new TerraformLocal(scope, id, resolve(each.value));
    else if (each.kind === 'variable')
      new TerraformVariable(scope, id, { description: each.description, type: 'string' });
    else {
      const element =
        each.kind === 'group'
          ? new Group(scope, id, { displayName: id, owners: [...each.owners] })
          : new AnyResource(
              scope,
              id,
              each.kind === 'moved'
                ? {}
                : (resolve((each as { attributes: Record<string, Value> }).attributes) as Record<
                    string,
                    unknown
                  >),
            );
      if (each.kind === 'same name') element.overrideLogicalId(each.name);
      if (each.kind === 'moved') element.moveToId(each.to);
      if (each.kind === 'group' && each.imported !== undefined) element.importFrom(each.imported);
      if (each.kind === 'thing' && each.override !== undefined)
        element.addOverride(each.override[0], resolve(each.override[1]));
      created.push({ stack, element });
    }
  });
}

/** Data as it is, and descriptions of tokens as the tokens of cdktf. */
function resolveValue(data: Value, stack: TerraformStack, created: CreatedElements): unknown {
  const resolve = (each: Value): unknown => resolveValue(each, stack, created);
  if (Array.isArray(data)) return data.map(resolve);
  if (data === null || typeof data !== 'object') return data;
  if (!('token' in data && 'index' in data))
    return Object.fromEntries(
      Object.entries(data as Record<string, Value>).map(([name, each]) => [name, resolve(each)]),
    );
  const { token: kind, index } = data as { token: string; index: number };
  const candidates = created.filter((each) => (each.stack === stack) === (kind !== 'other stack'));
  const target = candidates[index % Math.max(candidates.length, 1)]?.element;
  if (kind === 'date') return new Date(index * 86_400_000);
  if (kind === 'lazy')
    return Lazy.stringValue({ produce: () => (index % 3 === 0 ? undefined : `lazy \${${index}}`) });
  if (kind === 'function')
    return Fn.join('-', ['a', Token.asString(Fn.lower('B')), `\${${index}}`]);
  if (target === undefined) return 'nothing to refer to';
  if (kind === 'list') return target.getListAttribute('owners');
  if (kind === 'number')
    return index % 2 === 0
      ? target.getNumberAttribute('count')
      : `${target.getNumberAttribute('count')} and "\${more}"`;
  if (kind === 'map') return target.getStringMapAttribute('tags');
  if (kind === 'key') return { [target.getStringAttribute('id')]: 'value' };
  if (kind === 'inside') return `a \${"b"} ${target.getStringAttribute('id')} c`;
  return target.getStringAttribute('object_id');
}
