import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { root, startCastellan } from '../support/cli.js';
import { emptyPostgres } from '../support/postgres.js';
import { describeWithTool } from '../support/require-tool.js';

const guide = readFileSync(join(root, 'docs/guides/scale-out.md'), 'utf8');
const blockOf = (start: string): string =>
  new RegExp(`\`\`\`yaml\\n(${start}[^]*?)\`\`\``).exec(guide)?.[1] ?? '';

const compose = load(blockOf('# compose.yaml')) as {
  readonly services: Readonly<Record<string, { readonly command?: string }>>;
  readonly configs: { readonly balancer: { readonly content: string } };
};
const [deployment] = loadAll(blockOf('apiVersion')) as {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly command: string[]; readonly args: string[] }[];
      };
    };
  };
}[];

/** The words after `castellan`, with values in the places of variables. */
const withValues = (words: readonly string[], values: Readonly<Record<string, string>>): string[] =>
  words
    .slice(words.indexOf('castellan') + 1)
    .map((word) => word.replace(/\$[{(](\w+)[})]/g, (_, name: string) => values[name] ?? ''));

describeWithTool('postgres', 'the commands of docs/guides/scale-out.md', () => {
  test('serve on one database, as Compose and as Kubernetes start them', async () => {
    const database = await emptyPostgres();
    const values = { ISSUER: 'https://issuer.example', AUDIENCE: 'https://services.example' };
    const listen = (words: readonly string[]): string[] =>
      words.map((word) => (word === '0.0.0.0:8080' ? '127.0.0.1:0' : word));
    const ofCompose = (compose.services['services']?.command ?? '')
      .split(' ')
      .map((word) => (word.startsWith('postgres://') ? database : word));
    const [container] = deployment?.spec.template.spec.containers ?? [];
    const ofKubernetes = [...(container?.command ?? []), ...(container?.args ?? [])];
    const services = await Promise.all(
      [
        withValues(ofCompose, values),
        withValues(ofKubernetes, { ...values, DATABASE_URL: database }),
      ].map((words) => startCastellan(listen(words))),
    );
    for (const { ready } of services) {
      const answer = await fetch(`${String(ready['listening'])}/readyz`);
      expect(answer.status).toBe(200);
    }
    await Promise.all(services.map((each) => each.stop()));
  });
});

describeWithTool('nginx', 'the balancer of docs/guides/scale-out.md', (nginx) => {
  test('has a configuration that nginx takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-balancer-'));
    // Compose writes a dollar sign as two
    const server = compose.configs.balancer.content.replaceAll('$$', '$');
    const file = join(folder, 'nginx.conf');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(
      file,
      `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')}\n${server.replace('listen 80;', `listen unix:${folder}/socket;`)}\n}`,
    );
    const { stderr } = spawnSync(nginx, ['-t', '-c', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true, force: true });
    expect(stderr).toContain('test is successful');
  });
});
