import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instantAfter, SandboxClock } from '../../sandbox/clock.js';

const now = new Date('2026-11-26T10:00:00Z');
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-clock-'))));
afterEach(() => rmSync(folder, { recursive: true }));
const openClock = (): SandboxClock =>
  new SandboxClock(join(folder, 'clock.json'), { now: () => now });

test.each([
  ['+30d', '2026-12-26T10:00:00.000Z'],
  ['+1d12h', '2026-11-27T22:00:00.000Z'],
  ['+90m', '2026-11-26T11:30:00.000Z'],
  ['+45s', '2026-11-26T10:00:45.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T08:00:00+02:00', '2027-01-31T06:00:00.000Z'],
])('%s leads to %s', (change, expected) => {
  expect(instantAfter(now, change).toISOString()).toBe(expected);
});

test.each(['', '+', '30d', '+30', '-1d', 'tomorrow', '2027-02-31x', '2027-13-01', '+99999999d'])(
  'refuses "%s"',
  (change) => {
    expect(() => instantAfter(now, change)).toThrow(/is neither a time span such as \+30d/);
  },
);

test('refuses an instant in its past', () => {
  expect(() => instantAfter(now, '2026-11-25')).toThrow(
    "2026-11-25 is before the sandbox's time, 2026-11-26T10:00:00.000Z: its clock only moves ahead",
  );
});

test('does what is due at the end of each day on the way, in order', async () => {
  const clock = openClock();
  const days: string[] = [];
  await clock.move('+3d12h', async () => void days.push(clock.now().toISOString()));
  expect(days).toEqual([
    '2026-11-27T10:00:00.000Z',
    '2026-11-28T10:00:00.000Z',
    '2026-11-29T10:00:00.000Z',
    '2026-11-29T22:00:00.000Z',
  ]);
});

test('makes two changes at once one after the other, also behind one that is refused', async () => {
  const clock = openClock();
  const work = (): Promise<void> => new Promise((done) => setTimeout(done, 1));
  const changes = ['+1d', 'yesterday', '+2d'].map((change) => clock.move(change, work));
  const outcomes = await Promise.allSettled(changes);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(clock.status().aheadSeconds).toBe(3 * 86_400);
});

test('makes at most 400 steps, however far it moves', async () => {
  const clock = openClock();
  let steps = 0;
  await clock.move('+36500d', async () => void steps++);
  expect(steps).toBeLessThanOrEqual(400);
  expect(clock.status().aheadSeconds).toBe(36500 * 86_400);
});

test('keeps its time for the next start, and resumes the time of the machine', async () => {
  await openClock().move('+31d', async () => undefined);
  expect(openClock().status()).toEqual({
    now: '2026-12-27T10:00:00.000Z',
    aheadSeconds: 31 * 86_400,
  });
  await openClock().move('resume', async () => undefined);
  expect(openClock().status()).toEqual({ now: now.toISOString(), aheadSeconds: 0 });
});
