import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/cli.js';
import { type CliRun, runCli } from '../../support/run-cli.js';

const cwd = mkdtempSync(join(tmpdir(), 'graph-'));

const run = (...args: string[]): Promise<CliRun> => runCli(['graph', ...args], { cwd });

const document = {
  sources: [{ name: 'bikes "x"', type: 'SampleData', properties: { type: 'Bicycles' } }],
  streams: [
    { name: 'all', type: 'DefaultStream', properties: {}, inputNodes: [{ name: 'bikes "x"' }] },
  ],
  operators: [{ name: 'both', type: 'Union', inputNodes: [{ name: 'all' }] }],
  destinations: [
    { name: 'out', type: 'CustomEndpoint', properties: {}, inputNodes: [{ name: 'both' }] },
  ],
};

describe('castellan graph', () => {
  const json = join(cwd, 'eventstream.json');
  beforeAll(() => {
    writeFileSync(json, JSON.stringify(document));
    const payload = Buffer.from(JSON.stringify(document)).toString('base64');
    writeFileSync(
      join(cwd, 'item.json'),
      JSON.stringify({
        definition: { parts: [{ path: 'eventstream.json', payload, payloadType: 'InlineBase64' }] },
      }),
    );
    writeFileSync(
      join(cwd, 'streams.yaml'),
      [
        'eventstreams:',
        '  clicks:',
        '    definition:',
        '      sources: [{ name: in, type: CustomEndpoint }]',
        '      destinations: [{ name: house, type: Eventhouse, inputNodes: [in] }, { name: copy, type: CustomEndpoint }]',
        '  views: { definition: { sources: [{ name: other, type: CustomEndpoint }] } }',
      ].join('\n'),
    );
  });

  it('draws as text', async () => {
    expect(await run(json)).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'Sources',
        '  bikes "x" (SampleData)',
        'Streams',
        '  all (DefaultStream) <- bikes "x"',
        'Operators',
        '  both (Union) <- all',
        'Destinations',
        '  out (CustomEndpoint) <- both',
        '',
      ].join('\n'),
    });
  });

  it('draws as mermaid and dot, whatever the names contain', async () => {
    expect((await run(json, '--format', 'mermaid')).stdout).toBe(
      [
        'flowchart LR',
        '  n0>"bikes #quot;x#quot;<br/>SampleData"]',
        '  n1("all<br/>DefaultStream")',
        '  n2{{"both<br/>Union"}}',
        '  n3[("out<br/>CustomEndpoint")]',
        '  n0 --> n1',
        '  n1 --> n2',
        '  n2 --> n3',
        '',
      ].join('\n'),
    );
    expect((await run(json, '--format', 'dot')).stdout).toContain(
      'n0 [label="bikes \\"x\\"\\nSampleData" shape=cds',
    );
  });

  it('draws as SVG into a file, from a definition with parts', async () => {
    const { exitCode, stdout } = await run('item.json', '--output', 'graph.svg');
    expect([exitCode, stdout]).toEqual([0, '']);
    const svg = readFileSync(join(cwd, 'graph.svg'), 'utf8');
    expect(svg).toMatch(/^<svg /);
    for (const name of ['bikes', 'all', 'both', 'out']) expect(svg).toContain(name);
  });

  it.each([
    ['graph.json', /^\{\n/],
    ['graph.SVG', /^<svg /],
    ['graph.txt', /^Sources\n/],
    ['a.b/graph', /^Sources\n/],
  ])('draws into %s what its ending says', async (output, expected) => {
    mkdirSync(join(cwd, 'a.b'), { recursive: true });
    expect(await run('item.json', '--output', output)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(join(cwd, output), 'utf8')).toMatch(expected);
  });

  it('refuses a file whose ending no format has, unless the format is named', async () => {
    const { exitCode, stderr } = await run('item.json', '-o', 'graph.png');
    expect([exitCode, stderr, existsSync(join(cwd, 'graph.png'))]).toEqual([
      2,
      expect.stringContaining('--output graph.png: no format has the ending .png: use .txt, .json'),
      false,
    ]);
    expect((await run('item.json', '-o', 'graph.png', '--format', 'dot')).exitCode).toBe(0);
  });

  it('reads the part as the service does, with a comma after its last entry', async () => {
    const payload = Buffer.from(JSON.stringify(document).replace(/}$/, ',}')).toString('base64');
    const definition = { parts: [{ path: 'eventstream.json', payload }] };
    writeFileSync(join(cwd, 'commas.json'), JSON.stringify({ definition }));
    expect(await run('commas.json')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('finds the eventstream in the castellan.yaml of a folder', async () => {
    const { stdout } = await run(join(root, 'examples/storefront'), '--stream', 'clicks');
    expect(stdout).toContain('store (Eventhouse) <- web');
  });

  it('draws an eventstream of castellan.yaml with its default stream', async () => {
    expect((await run('streams.yaml', '--stream', 'clicks')).stdout).toBe(
      [
        'Sources',
        '  in (CustomEndpoint)',
        'Streams',
        '  clicks-stream (DefaultStream) <- in',
        'Destinations',
        '  house (Eventhouse) <- in',
        '  copy (CustomEndpoint) <- clicks-stream',
        '',
      ].join('\n'),
    );
    const several = await run('streams.yaml');
    expect([several.exitCode, several.stderr]).toEqual([
      2,
      expect.stringContaining('choose one by --stream (clicks, views)'),
    ]);
    expect((await run('streams.yaml', '--stream', 'nope')).exitCode).toBe(2);
  });

  describe('of a configuration', () => {
    beforeAll(() => {
      writeFileSync(
        join(cwd, 'castellan.yaml'),
        [
          'version: 1',
          'stack: shop',
          'principals: { ada: { user: ada@contoso.example } }',
          'groups:',
          '  staff: { kind: security, displayName: Staff, owners: [ada], members: [ada] }',
          'workspaces: { telemetry: { displayName: Telemetry } }',
          'eventhouses: { store: { workspace: telemetry, displayName: store } }',
          'eventstreams:',
          '  clicks:',
          '    workspace: telemetry',
          '    displayName: clicks',
          '    definition: { sources: [{ name: in, type: CustomEndpoint }], destinations: [{ name: out, type: Eventhouse, eventhouse: store, inputNodes: [in] }] }',
        ].join('\n'),
      );
      writeFileSync(
        join(cwd, 'castellan.prod.yaml'),
        'groups: { staff: { displayName: "Staff <of> \\"prod\\"" }, guests: { kind: unified, displayName: Guests } }\neventstreams: { clicks: null }\n',
      );
    });

    it('draws every declaration with its references', async () => {
      expect(await run()).toEqual({
        exitCode: 0,
        stderr: '',
        stdout: [
          'Principals',
          '  ada (user)',
          'Groups',
          '  staff (security group) -> ada (owners), ada (members)',
          'Workspaces',
          '  telemetry (workspace)',
          'Eventhouses',
          '  store (eventhouse) -> telemetry (workspace)',
          'Eventstreams',
          '  clicks (eventstream) -> telemetry (workspace), store (eventhouse)',
          '',
        ].join('\n'),
      });
    });

    it('draws two environments side by side, with coloured differences', async () => {
      const { stdout } = await run('--compare', 'prod', '-f', 'mermaid');
      const [, base = '', prod = ''] = stdout.split('subgraph');
      expect(stdout).toContain('\n  f0 ~~~ f1\n');
      expect(base).toMatch(/^ f0\["base"\]\n {2}direction LR\n/);
      expect(base).toContain('(("~ staff<br/>security group"))');
      expect(base).toContain('("- clicks<br/>eventstream")');
      expect(base).not.toContain('guests');
      expect(prod).toMatch(/^ f1\["prod"\]\n {2}direction LR\n/);
      expect(prod).toContain('(("+ guests<br/>unified group"))');
      expect(prod).toContain('(("~ staff<br/>security group"))');
      expect(prod).not.toContain('clicks<br/>');
      expect(stdout).toMatch(
        /class n\d create\n.*class n\d,n\d update\n.*class n\d delete\n.*class [n\d,]+ unchanged\n$/s,
      );
    });

    it('draws the second environment to the right of the first', async () => {
      const { stdout } = await run('--compare', 'prod', '-f', 'svg');
      const boxes = [
        ...stdout.matchAll(
          /class="cluster">\n<title>cluster_\d<\/title>\n<polygon[^>]*points="([^"]+)"/g,
        ),
      ].map(([, points = '']) => points.split(' ').map((point) => Number(point.split(',')[0])));
      expect(boxes).toHaveLength(2);
      expect(Math.max(...(boxes[0] ?? []))).toBeLessThan(Math.min(...(boxes[1] ?? [])));
    });

    it('lists two environments as one, each declaration once', async () => {
      const { stdout } = await run('--compare', 'prod');
      expect(stdout).toMatch(/Groups\n {2}~ staff .*\n {2}\+ guests \(unified group\)\n/);
      expect(stdout.match(/staff/g)).toHaveLength(1);
    });

    it('draws a self-contained page, with the diagram as text beside it', async () => {
      const { stdout } = await run('--format', 'html', '-e', 'prod');
      expect(stdout).toMatch(
        /^<!doctype html>[^]*prefers-color-scheme:dark[^]*<svg [^]*<details>[^]*Groups\n {2}staff/,
      );
      expect(stdout).not.toMatch(/<script [^>]*src|https?:\/\/(?!www\.w3\.org)/);
    });

    it('lists the available stacks and environments', async () => {
      expect((await run('--stack', 'shp')).stderr).toContain('did you mean "shop"?');
      expect((await run('--compare', 'prd')).stderr).toContain('castellan.prd.yaml');
    });
  });

  it('draws only the changes of a plan', async () => {
    const plan = join(__dirname, '../../policies/sources/plan/official/legal/plan.json');
    const { exitCode, stdout } = await run('--plan', plan, '-f', 'html');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /<g class="node group create" [^]*\+ azuread_group_member\.m \(create\) -&#62; azuread_group\.g/,
    );
    expect((await run('--plan', plan, '--stack', 'shop')).stderr).toContain(
      '--plan draws a plan alone: leave out --stack',
    );
    expect((await run('.', '--plan', plan)).exitCode).toBe(2);
    writeFileSync(join(cwd, 'state.json'), JSON.stringify({ format_version: '1.0', values: {} }));
    expect((await run('--plan', 'state.json')).stderr).toContain('CAS7101');
  });

  it('draws valid parts and reports the mistakes', async () => {
    writeFileSync(
      join(cwd, 'broken.json'),
      JSON.stringify({
        ...document,
        operators: [{ name: 'both', type: 'Onion', inputNodes: [{ name: 'al' }] }],
      }),
    );
    const { exitCode, stdout, stderr } = await run('broken.json');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('both (Onion)');
    expect(stderr).toContain(
      'broken.json: nodes.both.inputNodes[0].name: there is no node named "al"',
    );
  });

  it.each([
    ['missing.json', 'CAS1001'],
    ['notes.txt', 'CAS1004'],
  ])('says what is wrong with %s', async (file, code) => {
    writeFileSync(join(cwd, 'notes.txt'), 'just: text');
    const { exitCode, stderr } = await run(file);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(code)]);
  });
});
