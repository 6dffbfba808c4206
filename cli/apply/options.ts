import { type Command, Option } from 'commander';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { ChoiceOption } from '../choice-option.js';
import { addFormat, type FormatFlags, formatOf } from '../format.js';

/** The options of `up`, `plan` and `down`. */
export interface ApplyOptions {
  /** Files and folders; a folder means the castellan.yaml in it. */
  readonly paths: readonly string[];
  readonly target: 'sandbox' | 'azure';
  /** Whose Terraform providers: Castellan's own, or the official ones. */
  readonly providers: 'castellan' | 'official';
  /** The environment whose overlay is applied to each configuration. */
  readonly environment?: string;
  /** Approves without asking; changes of a protected environment need its name, too. */
  readonly autoApprove: boolean;
  /** The environment in `--auto-approve=NAME`: approves changes of this one alone. */
  readonly approvedEnvironment?: string;
  /** Whether changes that a terminal would be asked about are refused instead. @default false */
  readonly refusesQuestions?: boolean;
  /** Which of the configurations to plan. @default all */
  readonly isSelected?: (file: string) => boolean;
  /**
   * The addresses whose replacement may lose data; `all` allows every loss, by replacements and by
   * deletions.
   */
  readonly allowReplace: 'all' | readonly string[];
  /** The addresses whose deletion may lose data. */
  readonly allowDestroy: readonly string[];
  /** The file of `castellan plan --out` to apply. */
  readonly plan?: string;
  /** What the command line says of the plan in that file, which must be so. */
  readonly expectedPlan?: Partial<Pick<ApplyOptions, 'target' | 'providers' | 'environment'>>;
  /** Where to record the calls of the sandbox's services while stacks are applied. */
  readonly record?: string;
  /** Whether Terraform or OpenTofu may be fetched where none is installed. */
  readonly download: 'allowed' | 'refused';
  readonly format: 'text' | 'json';
}

/** The flags of `up`, `plan` and `down`, as commander parses them. */
export interface ApplyFlags extends FormatFlags, EnvironmentFlags {
  /** @default sandbox */
  readonly target?: string;
  readonly providers?: string;
  readonly autoApprove?: boolean;
  /** The environment in `--auto-approve=NAME`. */
  readonly approve?: string;
  /** `--allow-replace` without an address: allows every loss. */
  readonly allowReplace?: boolean;
  /** The addresses in `--allow-replace=ADDRESS`. */
  readonly allowReplaceOf?: readonly string[];
  readonly allowDestroy?: readonly string[];
  /** The plan file that `up` applies. */
  readonly plan?: string;
  /** The file that gets the calls of the sandbox's services. */
  readonly record?: string;
  /** False by `--no-download`: Terraform is not fetched where none is installed. */
  readonly download: boolean;
}

/** The overlay to apply to each configuration, named as in `check`. */
export const environmentOption = [
  '-e, --environment <name>',
  'the environment whose overlay (castellan.<name>.yaml) is laid over each configuration',
] as const;

/** The flag of {@link environmentOption}. */
export interface EnvironmentFlags {
  readonly environment?: string;
}

/** The flags without the default environment, which has no overlay. */
export function withoutDefaultEnvironment({ environment }: EnvironmentFlags): EnvironmentFlags {
  return environment === undefined || environment === defaultEnvironment ? {} : { environment };
}

/**
 * `--auto-approve`, which the command line also gives as `--auto-approve=NAME` (see
 * `expandOptions`).
 */
export function addApproval(command: Command, description: string): Command {
  return command
    .option('--auto-approve', description)
    .addOption(new Option('--approve <environment>').hideHelp());
}

/**
 * `--allow-replace` and `--allow-destroy`; the command line also gives the first as
 * `--allow-replace=ADDRESS` (see `expandOptions`).
 */
export function addAllowLossOptions(command: Command): Command {
  const collect = (
    address: string,
    earlierAddresses: readonly string[] = [],
  ): readonly string[] => [...earlierAddresses, address];
  return command
    .option(
      '--allow-replace',
      'allow changes that lose data: replacing or deleting an eventhouse, a group, a registration; --allow-replace=ADDRESS allows the replacement of one (may be repeated)',
    )
    .addOption(new Option('--allow-replace-of <address>').argParser(collect).hideHelp())
    .option(
      '--allow-destroy <address>',
      'allow the deletion of one resource that loses data (may be repeated)',
      collect,
    );
}

/** Where stacks are applied. */
export const targets = ['sandbox', 'azure'] as const;
/** Whose Terraform providers apply them. */
export const providerChoices = ['castellan', 'official'] as const;

/** Adds the options that the commands share. */
export function addApplyOptions(command: Command): Command {
  return addFormat(command)
    .argument('[path...]', 'castellan.yaml files, or folders that hold one', ['.'])
    .addOption(new ChoiceOption('--target <target>', targets, 'sandbox (default) or azure'))
    .addOption(
      new ChoiceOption(
        '--providers <which>',
        providerChoices,
        'castellan (default in the sandbox) or official (default against azure)',
      ),
    )
    .option(...environmentOption)
    .option('--no-download', 'never fetch Terraform or OpenTofu where none is installed');
}

/** Reads the options. @throws CAS8001 for a value that isn't allowed. */
export function readApplyOptions(paths: readonly string[], flags: ApplyFlags): ApplyOptions {
  const target = parseChoice('--target', flags.target ?? 'sandbox', targets);
  const providers = parseChoice(
    '--providers',
    flags.providers ?? (target === 'azure' ? 'official' : 'castellan'),
    providerChoices,
  );
  if (flags.record !== undefined && target !== 'sandbox')
    throw new CastellanError(
      'CAS8001',
      "--record records the sandbox's services: leave it out with --target azure",
    );
  return {
    paths,
    target,
    providers,
    expectedPlan: {
      ...(flags.target !== undefined && { target }),
      ...(flags.providers !== undefined && { providers }),
      ...omitUndefined({ environment: flags.environment }),
    },
    ...withoutDefaultEnvironment(flags),
    autoApprove: flags.autoApprove === true,
    ...omitUndefined({ approvedEnvironment: flags.approve }),
    allowReplace: flags.allowReplace === true ? 'all' : (flags.allowReplaceOf ?? []),
    allowDestroy: flags.allowDestroy ?? [],
    ...omitUndefined({ plan: flags.plan, record: flags.record }),
    download: flags.download ? 'allowed' : 'refused',
    format: formatOf(flags),
  };
}

function parseChoice<Word extends string>(
  option: string,
  text: string,
  allowed: readonly Word[],
): Word {
  const match = allowed.find((word) => word === text);
  if (match === undefined)
    throw new CastellanError('CAS8001', `${option} is ${allowed.join(' or ')}, not "${text}"`);
  return match;
}
