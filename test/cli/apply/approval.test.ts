import { PassThrough, Writable } from 'node:stream';
import { approve, approveMoves } from '../../../cli/apply/approval.js';
import { describeDone } from '../../../cli/apply/done-so-far.js';
import { readApplyOptions } from '../../../cli/apply/options.js';
import type { StackPlan } from '../../../cli/apply/plan-stacks.js';
import type { CliIo } from '../../../cli/command.js';

const planOf = (name: string, action: 'create' | 'delete'): StackPlan =>
  ({
    stack: { name },
    changes: [{ address: `azuread_group.${name}`, action, because: [] }],
    isClean: false,
    movedAddresses: [],
    plan: {},
  }) as unknown as StackPlan;

const moves = [
  {
    from: { stack: 'old', address: 'azuread_group.a' },
    to: { stack: 'new', address: 'azuread_group.a' },
  },
];
const movesText =
  'resources were moved between states (old: azuread_group.a -> new: azuread_group.a)';

/** A terminal on which an answer is typed, or which ends where there is none. */
function terminal(answer: string | undefined): CliIo {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(answer === undefined ? '' : `${answer}\n`);
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    stdin: () => stdin,
    stdout: stderr,
    stderr: Object.assign(stderr, { isTTY: true }),
    env: {},
    cwd: '/',
  } as unknown as CliIo;
}

const options = readApplyOptions(['.'], { download: false });
const withoutTerminal = { ...terminal(undefined), stdin: undefined } as unknown as CliIo;

describe('a change that is declined', () => {
  it.each([
    ['no', 'the answer was not "yes": only base was changed'],
    [undefined, 'the input ended at the question: only base was changed'],
  ])('says what was applied before (%s)', async (answer, message) => {
    const request = {
      command: 'up',
      isProtected: false,
      done: { plans: [planOf('base', 'create')] },
    } as const;
    await expect(
      approve([planOf('top', 'delete')], options, request, terminal(answer)),
    ).rejects.toMatchObject({ code: 'CAS8104', message });
  });

  it('says that nothing was changed where that is so', async () => {
    await expect(
      approveMoves(moves, options, { command: 'up', isProtected: true }, terminal('no')),
    ).rejects.toMatchObject({ message: 'the answer was not "default": nothing was changed' });
  });

  it.each([
    [{ plans: [] }, 'nothing was changed'],
    [{ plans: [], moves }, `only ${movesText}`],
    [
      { plans: [planOf('a', 'create'), planOf('b', 'create')], moves },
      `only a, b were changed, and ${movesText}`,
    ],
  ])('tells what was done: %j', (done, text) => {
    expect(describeDone(done)).toBe(text);
  });
});

describe('a change that would be asked about, where no question is asked', () => {
  const request = { command: 'up', isProtected: false } as const;

  it('is refused while changes are watched on a terminal', async () => {
    const watching = { ...options, refusesQuestions: true };
    await expect(
      approve([planOf('shop', 'delete')], watching, request, withoutTerminal),
    ).rejects.toMatchObject({
      code: 'CAS8102',
      message: expect.stringMatching(
        /^nothing was changed, because this deletes or replaces something[^]*azuread_group\.shop[^]*--auto-approve$/,
      ) as string,
    });
    await approve([planOf('shop', 'create')], watching, request, withoutTerminal);
    await approve(
      [planOf('shop', 'delete')],
      { ...watching, autoApprove: true },
      request,
      withoutTerminal,
    );
  });

  it('is approved where there never was a terminal', async () => {
    await approve([planOf('shop', 'delete')], options, request, withoutTerminal);
  });
});
