import { spawnSync } from 'node:child_process';

/** The environment without the variables of `npm run`, which a peer that calls npx would use. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')),
);

/** The seconds of one run of a command, in any language: wall time and processor time. */
export function secondsOf({ command, cwd, env, status = [0] }) {
  const timed = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>/dev/null', 'bash', ...command],
    {
      cwd,
      env: { ...environment, ...env },
      encoding: 'utf8',
    },
  );
  if (!status.includes(timed.status))
    throw new Error(`${command.join(' ')} ended with ${timed.status}`);
  const [wall, user, system] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, processor: user + system };
}

/** The peak memory of a node process, in MB. */
export function peakMemory(run) {
  return atExit(run, 'process.resourceUsage().maxRSS / 1024');
}

/** The files of the modules that a node process loaded. */
export function loadedModules(run) {
  return atExit(run, "Object.keys(createRequire('/').cache)");
}

/** The value of an expression at the end of a node process. */
function atExit({ command: [, ...args], cwd, env }, expression) {
  const note = `import { createRequire } from 'node:module'; import { writeSync } from 'node:fs';
    process.on('exit', () => writeSync(2, '\\n' + JSON.stringify(${expression})));`;
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(note)}`, ...args],
    {
      cwd,
      env: { ...environment, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  return JSON.parse(stderr.trim().split('\n').at(-1));
}

export const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/**
 * The median ratios of two commands that run in turns, round by round: of wall time and of
 * processor time.
 */
export function ratios(dividend, divisor, rounds) {
  for (const each of [dividend, divisor]) secondsOf(each); // fills the caches of files and of compiled code
  const found = { wall: [], processor: [] };
  for (let round = 0; round < rounds; round++) {
    // the order alternates
    const order = round % 2 === 0 ? [dividend, divisor] : [divisor, dividend];
    const taken = new Map(order.map((each) => [each, secondsOf(each)]));
    for (const kind of ['wall', 'processor'])
      found[kind].push(taken.get(dividend)[kind] / taken.get(divisor)[kind]);
  }
  return { wall: median(found.wall), processor: median(found.processor) };
}
