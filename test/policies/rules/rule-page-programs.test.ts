import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleKind, transpileModule } from 'typescript';
import * as constructs from '../../../constructs/index.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { Finding } from '../../../core/findings/finding.js';
import { rules } from '../../../policies/rules/index.js';
import {
  blocksIn,
  isForConstructs,
  withoutConstructs,
} from '../../../scripts/rule-pages/rule-page.js';
import { compileProject } from '../../support/compile-project.js';

const root = join(__dirname, '../../..');
const now = new Date('2026-11-01T00:00:00Z');
const rulesForConstructs = rules.filter(isForConstructs);

function programs(id: string, heading: string): readonly string[] {
  const page = readFileSync(join(root, 'docs/rules', `${id}.md`), 'utf8');
  return blocksIn(page, heading).flatMap(({ language, text }) => (language === 'ts' ? [text] : []));
}

/**
 * Runs a program of a page: what its constructs refuse when they are created, and what is found in
 * the tree.
 */
function findingsOf(program: string): readonly Finding[] {
  const apps: constructs.App[] = [];
  class KeptApp extends constructs.App {
    constructor() {
      super({ outdir: join(root, 'node_modules/.cache/castellan-rule-programs') });
      apps.push(this);
    }
  }
  const { outputText } = transpileModule(program, {
    compilerOptions: { module: ModuleKind.CommonJS },
  });
  const run = new Function('require', 'exports', outputText) as (
    require: () => unknown,
    exports: object,
  ) => void;
  try {
    run(() => ({ ...constructs, App: KeptApp }), {});
  } catch (error) {
    if (error instanceof CastellanError && error.code === 'CAS2001')
      return (error.details as { findings: readonly Finding[] }).findings;
    throw error;
  }
  return apps
    .flatMap((app) => app.node.children)
    .flatMap((stack) => constructs.checkTree(stack, { now }));
}

describe.each(rulesForConstructs.map(({ id }) => [id]))(
  'the TypeScript of the page of %s',
  (id) => {
    beforeAll(() => vi.useFakeTimers({ now, toFake: ['Date'] }));
    afterAll(() => vi.useRealTimers());

    it('is refused where the configuration is', () => {
      const failing = programs(id, 'Failing');
      expect(failing.length).toBeGreaterThan(0);
      for (const program of failing)
        expect(findingsOf(program).filter(({ verdict }) => verdict === 'fail')).toContainEqual(
          expect.objectContaining({ ruleId: id }),
        );
    });

    it('passes where the configuration does', () => {
      const passing = programs(id, 'Passing');
      expect(passing.length).toBeGreaterThan(0);
      for (const program of passing)
        expect(
          findingsOf(program).filter(
            ({ ruleId, verdict, severity }) =>
              verdict === 'fail' && (ruleId === id || severity === 'error'),
          ),
        ).toEqual([]);
    });
  },
);

describe('the TypeScript of all pages', () => {
  it('compiles where it passes', async () => {
    const cache = join(root, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'rule-programs-'));
    try {
      for (const { id } of rulesForConstructs)
        programs(id, 'Passing').forEach((program, index) =>
          writeFileSync(
            join(folder, `${id}-${index}.ts`),
            `${program.replace("'castellan/constructs'", "'../../../constructs/index.js'")}export {};\n`,
          ),
        );
      const options = { rootDir: root, noEmit: true, declaration: false, types: ['node'] };
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          extends: '../../../tsconfig.json',
          compilerOptions: options,
          include: ['*.ts'],
          exclude: [],
        }),
      );
      expect(await compileProject(folder)).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is left out only for rules that constructs can not break', () => {
    const ids = new Set(rules.map(({ id }) => id));
    expect(Object.keys(withoutConstructs).filter((id) => !ids.has(id))).toEqual([]);
  });
});
