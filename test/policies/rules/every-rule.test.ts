import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as declarationRules from '../../../policies/rules/declaration/index.js';

it.each(Object.values(declarationRules).map(({ id }) => id))(
  'the rule %s has a test file of its own',
  (id) => {
    expect(existsSync(join(__dirname, 'declaration', `${id}.test.ts`))).toBe(true);
  },
);
