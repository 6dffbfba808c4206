import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The environment without the variables of `npm run`, which a peer that calls npx would use. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')),
);

/** The seconds of one run of a command, in any language: wall time and processor time. */
export function secondsOf({ command, cwd, env, status = [0] }) {
  const timedRun = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>/dev/null', 'bash', ...command],
    {
      cwd,
      env: { ...environment, ...env },
      encoding: 'utf8',
    },
  );
  if (!status.includes(timedRun.status))
    throw new Error(`${command.join(' ')} ended with ${timedRun.status}`);
  const [wall, user, system] = timedRun.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, processor: user + system };
}

/** The peak memory of a node process, in MB. */
export function peakMemory({ command: [, ...args], cwd, env }) {
  const printMaxRss = `import { writeSync } from 'node:fs';
    process.on('exit', () => writeSync(2, '\\n' + process.resourceUsage().maxRSS / 1024));`;
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(printMaxRss)}`, ...args],
    {
      cwd,
      env: { ...environment, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  return Number(stderr.trim().split('\n').at(-1));
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * The sources that a node process loaded, by its coverage: CommonJS and ES modules, and what is in
 * a bundle by its source map.
 */
export function loadedSources({ command: [, ...args], cwd, env }) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-coverage-'));
  try {
    spawnSync(process.execPath, args, {
      cwd,
      env: { ...environment, ...env, NODE_V8_COVERAGE: folder },
      stdio: 'ignore',
    });
    const scripts = readdirSync(folder).flatMap((name) => readJson(join(folder, name)).result);
    return scripts.flatMap(({ url }) => {
      if (!url.startsWith('file:')) return [];
      const map = `${fileURLToPath(url)}.map`;
      return existsSync(map) ? readJson(map).sources : [url];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/**
 * The median ratios of two commands that run in turns, round by round: of wall time and of
 * processor time.
 */
export function ratios(dividend, divisor, rounds) {
  // Fills the caches of files and of compiled code
  for (const each of [dividend, divisor]) secondsOf(each);
  const ratiosOfRounds = { wall: [], processor: [] };
  for (let round = 0; round < rounds; round++) {
    // the order alternates
    const order = round % 2 === 0 ? [dividend, divisor] : [divisor, dividend];
    const secondsByCommand = new Map(order.map((each) => [each, secondsOf(each)]));
    for (const kind of ['wall', 'processor'])
      ratiosOfRounds[kind].push(
        secondsByCommand.get(dividend)[kind] / secondsByCommand.get(divisor)[kind],
      );
  }
  return { wall: median(ratiosOfRounds.wall), processor: median(ratiosOfRounds.processor) };
}
