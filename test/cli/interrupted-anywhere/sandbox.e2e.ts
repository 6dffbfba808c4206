import { millisecondsOf, numbersFor, momentCount, Project } from './support.js';
import { declaration } from './declaration.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('a sandbox killed at any moment, with its providers', () => {
  let project: Project;
  let [empty, whole]: [readonly string[], readonly string[]] = [[], []];
  let [up, upWithStart, down] = [0, 0, 0];

  const begin = async (): Promise<void> => {
    project = new Project(declaration);
    empty = await project.inventory();
    await project.succeeds('up');
    whole = await project.inventory();
    await project.succeeds('down');
    project.killSandbox();
    upWithStart = await millisecondsOf(() => project.succeeds('up'));
    down = await millisecondsOf(() => project.succeeds('down'));
    up = await millisecondsOf(() => project.succeeds('up'));
    await project.succeeds('down');
  };
  beforeAll(begin);
  afterAll(() => project.end());
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await project.end(); // what it left may be what the next would fail of
    await begin();
  });

  /** What is killed, at a moment from 0 to 1. */
  const interruptions = {
    'while an up works': (moment: number) =>
      project.runInterrupted('up', up * moment, () => project.killSandbox()),
    'while an up starts it, or works': (moment: number) => {
      project.killSandbox();
      return project.runInterrupted('up', upWithStart * moment, () => project.killSandbox());
    },
    'right before an up': () => Promise.resolve(project.killSandbox()),
  };
  const whens = Object.keys(interruptions) as (keyof typeof interruptions)[];
  const random = numbersFor('sandbox');
  const moments = Array.from({ length: Math.ceil(momentCount / 2) }, () => {
    const when = whens[Math.floor(random() * whens.length)] ?? 'while an up works';
    return [when, random(), random()] as const;
  });

  it.each(moments)(
    '%s (%f of its time), has all its data at the next start; also when killed at %f of a down',
    async (when, ...at) => {
      await interruptions[when](at[0]);
      expect(await project.succeeds('up')).toContain('running, behind sign-in');
      await project.expectNoChanges();
      expect(await project.inventory()).toEqual(whole);

      await project.runInterrupted('down', down * at[1], () => project.killSandbox());
      await project.succeeds('down');
      expect(await project.inventory()).toEqual(empty);
      project.expectEmptyState();
    },
  );
});
