import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { castellan, root } from '../support/cli.js';

const read = (file: string): string => readFileSync(join(root, 'examples/ci', file), 'utf8');

describe('the examples for pipelines', () => {
  it.each(['github/castellan.yml', 'github/action.yml', 'gitlab/castellan.gitlab-ci.yml', 'pre-commit.yaml'])(
    '%s uses options that exist',
    async (file) => {
      expect(parse(read(file))).toBeTruthy();
      const used = [...read(file).matchAll(/castellan check(.*)$/gm)].flatMap(([, words]) => (words ?? '').match(/--[a-z-]+/g) ?? []);
      const { stdout } = await castellan(['check', '--help']);
      for (const option of used) expect(stdout).toContain(option);
    },
  );
});
