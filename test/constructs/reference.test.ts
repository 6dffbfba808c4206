import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as constructs from '../../constructs/index.js';
import { root } from '../support/cli.js';

const page = readFileSync(join(root, 'docs/reference/constructs.md'), 'utf8');
const { App: _app, CastellanConstruct, ...entries } = constructs;
const classes = Object.entries(entries).filter(
  ([, each]) => (each as { prototype?: unknown }).prototype instanceof CastellanConstruct,
);

describe('docs/reference/constructs.md', () => {
  it.each(classes.map(([name]) => name))('lists %s with its resources', (name) => {
    expect(page).toMatch(new RegExp(`^\\| [^|]*\`${name}\``, 'm'));
  });

  it('names only what is exported', () => {
    const imported = [
      ...page.matchAll(/import \{ ([^}]+) \} from 'castellan\/constructs'/g),
    ].flatMap(([, names]) => names?.split(', ') ?? []);
    expect(imported.length).toBeGreaterThan(0);
    for (const name of imported) expect(constructs).toHaveProperty(name);
  });
});
