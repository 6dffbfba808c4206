import { spawnSync } from 'node:child_process';
import { youngGenerationFlag } from '../../../services/auth-sidecar/operations/worker.js';

/**
 * Lets a little of something survive. Prints how large the young generation has become, in bytes.
 */
const program = `
const { getHeapSpaceStatistics, setFlagsFromString } = require('node:v8');
const flag = process.env.FLAG;
if (flag) setFlagsFromString(flag);
const kept = [];
for (let index = 0; index < 60_000; index++) kept[index % 100] = { text: 'x' + index, list: [index, index] };
console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size);
`;

function youngGeneration(flag: string): number {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    env: { FLAG: flag },
  });
  expect(stderr).toBe('');
  return Number(stdout);
}

test('the young generation grows at once instead of step by step, in this version of Node, too', () => {
  expect(youngGeneration(youngGenerationFlag)).toBeGreaterThanOrEqual(2 * youngGeneration(''));
});
