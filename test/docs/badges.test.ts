import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minEngineVersions } from '../../stacks/terraform/supported-engines.js';
import { badge } from '../../scripts/pictures/badge.js';
import { root } from '../support/cli.js';

const { license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  license: string;
  engines: { node: string };
};
const badges = [
  ['licence', license],
  ['Node', engines.node.replace('>=', '≥ ').replace(/\.0$/, '')],
  ['Terraform', `≥ ${minEngineVersions.terraform.join('.')}`],
  ['OpenTofu', `≥ ${minEngineVersions.tofu.join('.')}`],
] as const;

test.each(badges)('the badge of %s says what holds (UPDATE_DOCS=1 draws it)', (name, value) => {
  const file = `docs/pictures/badges/${name.toLowerCase()}.svg`;
  if (process.env['UPDATE_DOCS']) writeFileSync(join(root, file), badge(name, value));
  expect(readFileSync(join(root, file), 'utf8')).toBe(badge(name, value));
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`![${name} ${value}](${file})`);
});
