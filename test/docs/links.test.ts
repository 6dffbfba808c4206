import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../support/cli.js';

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...pagesBelow('docs')];

function pagesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return entry.name === 'site' ? [] : pagesBelow(`${folder}/${entry.name}`);
    return entry.name.endsWith('.md') ? [`${folder}/${entry.name}`] : [];
  });
}

test.each(pages)('%s links to files that exist', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '');
  const targets = [...text.matchAll(/\]\(([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
  expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});
