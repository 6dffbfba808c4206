import { useProject } from './commands/support/project.js';

const { run, write } = useProject();

describe('an output file of a command', () => {
  it.each([
    [['schema', '--out', 'nowhere/schema.json'], 'nowhere/schema.json'],
    [['check', '--format', 'json=nowhere/report.json'], 'nowhere/report.json'],
    [['baseline', 'write', '--out', 'nowhere/baseline.json'], 'nowhere/baseline.json'],
  ])('is reported with the reason when it cannot be written: %j', async (args, file) => {
    write('castellan.yaml', 'version: 1\nstack: shop\n');
    const { exitCode, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(`CAS8203 A file cannot be written: ${file}: ENOENT`),
    ]);
  });
});
