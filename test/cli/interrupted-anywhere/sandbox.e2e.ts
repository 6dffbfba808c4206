import { millisecondsOf, numbersFor, momentCount, Project } from './support.js';
import { declaration } from './declaration.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('a sandbox killed at any moment, with its providers', () => {
  let project: Project;
  let [empty, whole]: [readonly string[], readonly string[]] = [[], []];
  let [upMs, upWithStartMs, downMs] = [0, 0, 0];

  const begin = async (): Promise<void> => {
    project = new Project(declaration);
    empty = await project.inventory();
    await project.succeeds('up');
    whole = await project.inventory();
    await project.succeeds('down');
    project.killSandbox();
    upWithStartMs = await millisecondsOf(() => project.succeeds('up'));
    downMs = await millisecondsOf(() => project.succeeds('down'));
    upMs = await millisecondsOf(() => project.succeeds('up'));
    await project.succeeds('down');
  };
  beforeAll(begin);
  afterAll(() => project.end());
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await project.end(); // what this test left could make the next one fail
    await begin();
  });

  /** What is killed, at a moment from 0 to 1. */
  const interruptions = {
    'while an up works': (moment: number) =>
      project.runInterrupted('up', upMs * moment, () => project.killSandbox()),
    'while an up starts it, or works': (moment: number) => {
      project.killSandbox();
      return project.runInterrupted('up', upWithStartMs * moment, () => project.killSandbox());
    },
    'right before an up': () => Promise.resolve(project.killSandbox()),
  };
  const interruptionNames = Object.keys(interruptions) as (keyof typeof interruptions)[];
  const random = numbersFor('sandbox');
  const moments = Array.from({ length: Math.ceil(momentCount / 2) }, () => {
    const name =
      interruptionNames[Math.floor(random() * interruptionNames.length)] ?? 'while an up works';
    return [name, random(), random()] as const;
  });

  it.each(moments)(
    '%s (%f of its time), has all its data at the next start; also when killed at %f of a down',
    async (name, upMoment, downMoment) => {
      await interruptions[name](upMoment);
      expect(await project.succeeds('up')).toContain('running, behind sign-in');
      await project.expectNoChanges();
      expect(await project.inventory()).toEqual(whole);

      await project.runInterrupted('down', downMs * downMoment, () => project.killSandbox());
      await project.succeeds('down');
      expect(await project.inventory()).toEqual(empty);
      project.expectEmptyState();
    },
  );
});
