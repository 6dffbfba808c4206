import { fingerprintOf } from '../findings/fingerprint.js';
import type { Finding, SourceLocation } from '../findings/finding.js';

/** What a problem means, and what to do about it. */
interface ProblemText {
  readonly title: string;
  readonly help: string;
}

/** The problems that a file can have before validation, by the rule id of their findings. */
export const problemTexts = {
  'config-unreadable': {
    title: 'A file cannot be read',
    help: 'Check its path, that it is a regular file, and that you may read it.',
  },
  'config-encoding': { title: 'A file is not in UTF-8', help: 'Save it as UTF-8.' },
  'config-too-large': {
    title: 'A file is too large',
    help: 'Split it, and name the parts in `include`.',
  },
  'config-empty': {
    title: 'A file declares nothing',
    help: 'Write what it is to declare, or delete it.',
  },
  'config-syntax': {
    title: 'A file is not YAML',
    help: 'Correct what the message names. Quotes around a value end most doubts.',
  },
  'config-duplicate-key': { title: 'A map has the same key twice', help: 'Keep one of them.' },
  'config-tab': { title: 'A tab indents a line', help: 'Indent with spaces.' },
  'config-tag': { title: 'A tag is not known', help: 'Remove it: no value needs one.' },
  'config-alias': {
    title: 'An alias cannot be resolved',
    help: 'Declare its anchor (`&name`) before it, or write the value instead. A text that begins with `*` is put in quotes.',
  },
  'config-depth': { title: 'Values are nested too deep', help: 'Nest fewer lists and maps.' },
  'config-include': {
    title: 'Files that are read together do not fit together',
    help: 'Declare each name, and each stack, in one file. A path in `include` begins in the folder of the file that has it.',
  },
  'config-overlay': {
    title: 'No command would apply an overlay',
    help: 'Give it the ending of its configuration (`castellan.prod.yaml` for `castellan.yaml`), and the name of a stack that this has.',
  },
  'config-backend': {
    title: 'Two stacks or environments would share a state',
    help: 'Give each its own, as with `${castellan.stack}-${castellan.environment}` in the key.',
  },
  'config-moved': {
    title: 'An entry of moved fits nothing',
    help: 'See docs/guides/move-and-rename.md.',
  },
  'config-reference': {
    title: 'A reference has the wrong form',
    help: 'Write `${env:NAME}`, `${castellan.environment}` or `${castellan.stack}`, or `$${` for the characters themselves.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;

/** The id of a problem, which is also the rule id of its finding. */
export type ProblemId = keyof typeof problemTexts;

/** One problem of a file, with its place. */
export interface Problem {
  readonly id: ProblemId;
  readonly message: string;
  readonly location: SourceLocation;
}

/** The finding that reports a problem of a file. */
export function findingOfProblem({ id, message, location }: Problem): Finding {
  return {
    ruleId: id,
    messageId: id,
    parameters: {},
    verdict: 'fail',
    severity: 'error',
    message,
    location,
    fingerprint: fingerprintOf(id, [location.file, message]),
  };
}
