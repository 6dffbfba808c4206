import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { runCli } from '../support/run-cli.js';

interface Snippet {
  readonly prefix: string;
  readonly body: readonly string[];
}
const text = readFileSync(join(root, 'editors/vscode/snippets/castellan.json'), 'utf8');
const snippets = Object.values(JSON.parse(text) as Record<string, Snippet>);

/** What an editor inserts where nothing is typed into the places of a snippet. */
const insertedText = ({ body }: Snippet): string =>
  body.join('\n').replace(/\$\{\d+:([^}]*)\}/g, '$1');

test('the snippets of the extension are a configuration without errors', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-snippets-'));
  const [app, group, ruleGroup, stream, accept] = snippets.map(insertedText);
  const principals =
    'principals:\n  ada: { user: ada@a.example }\n  grace: { user: grace@a.example }';
  writeFileSync(
    join(folder, 'castellan.yaml'),
    [
      'version: 1\nstack: snippets\nazure: { location: westeurope, resourceGroup: rg }',
      principals,
      app,
      group,
      ruleGroup?.replace('groups:\n', ''),
      stream,
      '',
    ].join('\n'),
  );
  const { stdout, exitCode } = await runCli(['check'], { cwd: folder });
  expect([stdout, exitCode]).toEqual([expect.stringContaining('0 errors, 0 warnings'), 0]);
  expect(accept).toBe(
    '# castellan-ignore auth-public-app reason="why it is accepted" owner=team until=2027-06-30',
  );
});

test('the readme of the extension names every snippet', () => {
  const readme = readFileSync(join(root, 'editors/vscode/README.md'), 'utf8');
  for (const { prefix } of snippets) expect(readme).toContain(`\`${prefix}\``);
});
