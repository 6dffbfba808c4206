import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompilerOptions, ScriptTarget, transpileModule } from 'typescript';
import {
  App,
  type CastellanConstruct,
  CastellanStack,
  withLocation,
  SecurityGroup,
  type SecurityGroupProps,
  UnifiedGroup,
} from '../../../constructs/index.js';
import { stackTraceLocation } from '../../../constructs/internal/caller-location.js';

/** The line of the caller. */
const here = (): number =>
  Number(/:(\d+):\d+\)?$/.exec(new Error().stack?.split('\n')[2] ?? '')?.[1]);

/** A construct of the user's own. */
class TeamGroup extends SecurityGroup {
  constructor(stack: CastellanStack, id: string, props: SecurityGroupProps) {
    super(stack, id, props);
  }
}

const declare = (create: (stack: CastellanStack) => CastellanConstruct) =>
  create(new CastellanStack(new App(), 'frames')).creationLocation;

describe('the place where a construct was created', () => {
  it('is the line of the program, in its TypeScript', () => {
    const line = here() + 1;
    const location = declare((stack) => new SecurityGroup(stack, 'g', { displayName: 'G' }));
    expect(location).toMatchObject({ file: __filename, line });
  });

  it("is where a user's own class was created", () => {
    const line = here() + 1;
    const location = declare((stack) => new TeamGroup(stack, 'g', { displayName: 'G' }));
    expect(location).toMatchObject({ file: __filename, line });
  });

  it('is the line of castellan.yaml for what is declared there', () => {
    const yaml = { file: 'castellan.yaml', line: 12, column: 3 };
    expect(
      declare((stack) =>
        withLocation(yaml, () => new UnifiedGroup(stack, 'g', { displayName: 'G' })),
      ),
    ).toEqual(yaml);
    expect(declare((stack) => new UnifiedGroup(stack, 'g', { displayName: 'G' }))?.file).toBe(
      __filename,
    );
  });

  it('does not change the stack traces of other errors', () => {
    const before = Error.stackTraceLimit;
    declare((stack) => new SecurityGroup(stack, 'g', { displayName: 'G' }));
    expect(Error.stackTraceLimit).toBe(before);
  });
});

describe('the place in a compiled program', () => {
  const program = 'interface Padding {\n  a: string;\n}\nshop();\n';
  const compiledPlaceOf = (options: CompilerOptions) => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-frame-'));
    const { outputText, sourceMapText = '' } = transpileModule(program, {
      fileName: 'main.ts',
      compilerOptions: { target: ScriptTarget.ES2022, ...options },
    });
    writeFileSync(join(folder, 'main.ts'), program);
    writeFileSync(join(folder, 'main.js'), outputText);
    writeFileSync(join(folder, 'main.js.map'), sourceMapText);
    const line = outputText.split('\n').indexOf('shop();') + 1;
    return stackTraceLocation(`Error\n    at new Shop (${join(folder, 'main.js')}:${line}:1)`);
  };

  it.each([{ sourceMap: true }, { inlineSourceMap: true }])(
    'is the line of its TypeScript, with %j',
    (options) => {
      expect(compiledPlaceOf(options)).toMatchObject({
        file: expect.stringMatching(/main\.ts$/) as string,
        line: 4,
      });
    },
  );

  it('is the compiled line without a source map', () => {
    expect(compiledPlaceOf({})?.file).toMatch(/main\.js$/);
  });
});

describe('stackTraceLocation', () => {
  it.each([
    [`Error\n    at new Shop (${__filename}:10:5)`, { file: __filename, line: 10, column: 5 }],
    [`Error\n    at ${__filename}:3:1`, { file: __filename, line: 3, column: 1 }],
    [`Error\n    at async file://${__filename}:4:2`, { file: __filename, line: 4, column: 2 }],
    ['Error\n    at node:internal/main:1:1', undefined],
    ['Error\n    at [eval]:1:1', undefined],
    [undefined, undefined],
  ])('reads %j', (stack, location) => {
    expect(stackTraceLocation(stack)).toEqual(location);
  });
});
