import type { Command } from 'commander';
import { CastellanError } from '../../core/errors/castellan-error.js';

/** What `up`, `plan` and `down` are given. */
export interface ApplyOptions {
  /** Files and folders; a folder means the castellan.yaml in it. */
  readonly paths: readonly string[];
  readonly target: 'sandbox' | 'azure';
  readonly providers: 'castellan' | 'official';
  /** The environment whose overlay is laid over each configuration. */
  readonly environment?: string;
  readonly autoApprove: boolean;
  readonly allowReplace: boolean;
  readonly download: 'allowed' | 'refused';
}

interface Flags {
  readonly target: string;
  readonly providers?: string;
  readonly env?: string;
  readonly autoApprove?: boolean;
  readonly allowReplace?: boolean;
  readonly download: boolean;
}

const targets = ['sandbox', 'azure'] as const;
const providerChoices = ['castellan', 'official'] as const;

/** Adds the options that the commands share. */
export function addApplyOptions(command: Command): Command {
  return command
    .argument('[path...]', 'castellan.yaml files, or folders that hold one', ['.'])
    .option('--target <target>', 'sandbox or azure', 'sandbox')
    .option('--providers <which>', 'castellan (default in the sandbox) or official (default against azure)')
    .option('--env <name>', 'the environment whose overlay (castellan.<name>.yaml) is laid over each configuration')
    .option('--no-download', 'never fetch Terraform where none is installed');
}

/** Reads the options. @throws CAS8001 for a value that isn't allowed. */
export function readApplyOptions(paths: readonly string[], flags: Flags): ApplyOptions {
  const target = oneOf('--target', flags.target, targets);
  return {
    paths,
    target,
    providers: oneOf('--providers', flags.providers ?? (target === 'azure' ? 'official' : 'castellan'), providerChoices),
    ...(flags.env === undefined ? {} : { environment: flags.env }),
    autoApprove: flags.autoApprove === true,
    allowReplace: flags.allowReplace === true,
    download: flags.download ? 'allowed' : 'refused',
  };
}

function oneOf<Word extends string>(option: string, given: string, allowed: readonly Word[]): Word {
  const found = allowed.find((word) => word === given);
  if (found === undefined) throw new CastellanError('CAS8001', `${option} is ${allowed.join(' or ')}, not "${given}"`);
  return found;
}
