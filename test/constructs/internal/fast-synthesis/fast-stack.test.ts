import childProcess from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group } from '@cdktf/provider-azuread/lib/group';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import { App, Lazy, TerraformStack } from '../../../../constructs/internal/cdktf';
import * as fc from 'fast-check';
import { FastStack } from '../../../../constructs/internal/fast-synthesis/fast-stack.js';
import { runs } from '../../../support/property-tests';
import { AnyResource, type Tree, anyTree, synthesizedFiles } from './random-stacks.js';

describe('a fast stack', () => {
  it('writes the same bytes as cdktf for any tree', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        expect(synthesizedFiles(FastStack as typeof TerraformStack, tree)).toEqual(
          synthesizedFiles(TerraformStack, tree),
        );
      }),
      { numRuns: runs(60) },
    );
  });

  it('writes the same bytes when cdktf changes a value at each read', () => {
    const tree: Tree = {
      stacks: [
        {
          things: [
            {
              kind: 'thing',
              attributes: { a: { token: 'date', index: 0 } },
              override: ['a', { a: ['text'] }],
            },
          ],
        },
      ],
      hasAspect: false,
    };
    expect(synthesizedFiles(FastStack as typeof TerraformStack, tree)).toEqual(
      synthesizedFiles(TerraformStack, tree),
    );
  });

  it('writes the same bytes where an override gives a list a property `constructor`', () => {
    const tree: Tree = {
      stacks: [
        {
          things: [
            { kind: 'thing', attributes: { a: [] }, override: ['a', { constructor: 'text' }] },
          ],
          override: undefined,
        },
      ],
      hasAspect: false,
    };
    expect(synthesizedFiles(FastStack as typeof TerraformStack, tree)).toEqual(
      synthesizedFiles(TerraformStack, tree),
    );
  });

  it('gives the same bytes where a subclass writes more', () => {
    const withMoreJson = (Base: typeof TerraformStack): typeof TerraformStack =>
      class extends Base {
        override toTerraform(): unknown {
          return { ...(super.toTerraform() as object), more: true };
        }
      };
    const tree: Tree = {
      stacks: [{ things: [{ kind: 'thing', attributes: { a: 1 } }] }],
      hasAspect: false,
    };
    const fast = synthesizedFiles(withMoreJson(FastStack as typeof TerraformStack), tree);
    expect(fast).toEqual(synthesizedFiles(withMoreJson(TerraformStack), tree));
    expect((fast as Record<string, string>)['/stacks/stack-0/cdk.tf.json']).toContain(
      '"more": true',
    );
  });

  it('knows its transitive dependencies', () => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-fast-')) });
    const stacks = Array.from({ length: 28 }, (_, index) => new FastStack(app, `s${index}`));
    stacks.forEach((stack, index) =>
      stacks.slice(0, index).forEach((other) => stack.addDependency(other)),
    );
    expect(stacks[27]?.dependsOn(stacks[0] as FastStack)).toBe(true);
    expect(stacks[0]?.dependsOn(stacks[27] as FastStack)).toBe(false);
    expect(() => stacks[0]?.addDependency(stacks[27] as FastStack)).toThrow(/can't depend on/);
    rmSync(app.outdir, { recursive: true });
  });

  it('asks for the version of terraform once for all imports', () => {
    const execSync = vi
      .spyOn(childProcess, 'execSync')
      .mockReturnValue(Buffer.from('Terraform v1.11.4'));
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-fast-')) });
    const stack = new FastStack(app, 'imports');
    new AzureadProvider(stack, 'azuread', {});
    for (let index = 0; index < 5; index += 1)
      new Group(stack, `group-${index}`, { displayName: 'Group' }).importFrom(`id-${index}`);
    app.synth();
    expect(execSync).toHaveBeenCalledTimes(1);
    expect(readFileSync(join(app.outdir, 'stacks/imports/cdk.tf.json'), 'utf8')).toContain('id-4');
    execSync.mockRestore();
    rmSync(app.outdir, { recursive: true });
  });

  it('reports every validation that fails, as cdktf does', () => {
    const messagesOf = (Stack: typeof TerraformStack): unknown => {
      const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-fast-')) });
      const stack = new Stack(app, 'mistakes');
      for (const name of ['a', 'b'])
        new AnyResource(stack, name, {}).node.addValidation({
          validate: () => [`${name} is wrong`],
        });
      try {
        app.synth();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      } finally {
        rmSync(app.outdir, { recursive: true });
      }
    };
    const expected = messagesOf(TerraformStack);
    expect(expected).toMatch(/a is wrong[\s\S]*b is wrong/);
    expect(messagesOf(FastStack as typeof TerraformStack)).toBe(expected);
  });

  it('reports where an unresolvable value was created', () => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-fast-')) });
    const stack = new FastStack(app, 'broken');
    const unresolvableValue = Lazy.stringValue({
      produce: () => {
        throw new Error('not today');
      },
    });
    new AnyResource(stack, 'thing', { a: unresolvableValue });
    expect(() => app.synth()).toThrow(
      /not today[\s\S]*Object creation stack:\n {2}at [\s\S]*fast-stack\.test/,
    );
    rmSync(app.outdir, { recursive: true });
  });
});
