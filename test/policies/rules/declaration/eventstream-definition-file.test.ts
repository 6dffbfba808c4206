import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-definition-file-'));
  mkdirSync(join(folder, 'stack/graphs'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const header = `version: 1
stack: example
workspaces: { w: { displayName: W } }
eventstreams:
`;
const check = async (file: string) => {
  const stream = `  s: { workspace: w, displayName: s, definition: { file: ${file} } }\n`;
  writeFileSync(join(folder, 'stack/castellan.yaml'), header + stream);
  const { findings } = await runCheck({ paths: ['stack'], cwd: folder, env: {} });
  return findings
    .filter(({ ruleId }) => ruleId.startsWith('eventstream-definition'))
    .map(
      ({ location, message, verdict }) =>
        `${location?.file}:${location?.line}:${location?.column} ${verdict} ${message}`,
    );
};
const put = (content: string | Uint8Array): void =>
  writeFileSync(join(folder, 'stack/graphs/s.json'), content);
const completeGraph =
  '{"sources":[],"streams":[],"operators":[],"destinations":[],"compatibilityLevel":"1.0"}';
const location = 'stack/castellan.yaml:5:58 fail';

describe('a definition in a file', () => {
  it('is read from the folder of the configuration, wherever the check is started, also with a byte order mark', async () => {
    put(completeGraph);
    expect(await check('graphs/s.json')).toEqual([]);
    expect(await check(join(folder, 'stack/graphs/s.json'))).toEqual([]);
    put(`\uFEFF${completeGraph}`);
    expect(await check('graphs/s.json')).toEqual([]);
  });

  it.each<[string, string | Uint8Array | undefined, string, string]>([
    ['does not exist', undefined, 'graphs/s.json', 'graphs/s.json does not exist'],
    ['is a folder', undefined, 'graphs', 'graphs is a folder, not a file'],
    [
      'is not UTF-8',
      Uint8Array.of(0x7b, 0xff),
      'graphs/s.json',
      'byte 0xff is not UTF-8 here; save the file as UTF-8',
    ],
    ['is empty', '', 'graphs/s.json', 'graphs/s.json is not JSON: Unexpected end of JSON input'],
    ['is YAML', 'sources: []', 'graphs/s.json', 'graphs/s.json is not JSON: Unexpected token'],
  ])('is a finding at its place when it %s', async (_, content, file, message) => {
    if (content !== undefined) put(content);
    const [finding = ''] = await check(file);
    expect(finding.slice(0, `${location} ${message}`.length)).toBe(`${location} ${message}`);
  });

  it('reports an incomplete graph, with the path of the mistake in the graph', async () => {
    const key = 'stack/castellan.yaml:5:52 fail';
    put(completeGraph.replace('[]', '[{"name":"a","type":"SampleData","properties":{}}]'));
    expect(await check('graphs/s.json')).toEqual([
      expect.stringContaining(`${key} graphs/s.json: nodes.a.properties.type is missing`),
    ]);
    put('[]');
    expect(await check('graphs/s.json')).toEqual([
      expect.stringContaining('fail graphs/s.json: $ '),
    ]);
  });

  it('reports every mistake in the graph', async () => {
    put(
      completeGraph.replace(
        '[]',
        '[{"name":"a","type":"SampleData","properties":{}},{"name":"b","type":"SampleData","properties":{}}]',
      ),
    );
    expect((await check('graphs/s.json')).length).toBeGreaterThan(1);
  });

  it('is unknown while its path depends on an unset variable', async () => {
    expect(await check('"${env:GRAPH}"')).toEqual([expect.stringContaining('GRAPH is not set')]);
  });
});
