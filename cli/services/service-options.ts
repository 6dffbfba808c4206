import type { Command } from 'commander';
import { ChoiceOption } from '../choice-option.js';
import { CastellanError } from '../../core/errors/castellan-error.js';

/** The command line options that select a service. */
export interface ServiceFlags {
  /** The URL of the service. @default the sandbox of the environment or folder, else the cloud */
  readonly endpoint?: string;
  /** Asks the running sandbox of the current folder. */
  readonly sandbox?: boolean;
  /** The environment of the sandbox. */
  readonly environment?: string | undefined;
  /** `neutral` or `azure`. @default azure for the cloud and the sandbox, else neutral */
  readonly dialect?: string;
  /** A PEM file of a private authority. @default SSL_CERT_FILE, NODE_EXTRA_CA_CERTS */
  readonly ca?: string;
}

/**
 * Refuses flags that name a service where none is asked.
 *
 * @param option the option with which a service is asked, such as `--live`.
 * @throws CAS8001 with the first of the flags.
 */
export function refuseServiceFlags(
  flags: ServiceFlags,
  names: readonly ('endpoint' | 'sandbox' | 'dialect' | 'ca')[],
  option: string,
): void {
  const flag = names.find((name) => flags[name] !== undefined);
  if (flag !== undefined)
    throw new CastellanError(
      'CAS8001',
      `--${flag} says where ${option} looks: give ${option}, too`,
    );
}

/** What is asked where no option names a service, by commands that take the folder's sandbox. */
const folderServiceText = 'the sandbox of the environment or of this folder, else the cloud';
/** The same by those that compare with what is live: a sandbox only where the shell points to it. */
export const liveServiceText = 'the sandbox that `castellan sandbox env` names, else the cloud';

/**
 * Adds the options that select a service, but for `--environment`, which a command has for its own use, too.
 *
 * @param defaultService what is asked where no option names a service.
 */
export function addServiceOptions(command: Command, defaultService = folderServiceText): Command {
  return command
    .option('--endpoint <url>', `the service to ask (default: ${defaultService})`)
    .option('--sandbox', 'the running sandbox of the current folder')
    .addOption(
      new ChoiceOption(
        '--dialect <dialect>',
        ['neutral', 'azure'],
        'neutral or azure (default: azure for the cloud and the sandbox, else neutral)',
      ),
    )
    .option(
      '--ca <file>',
      'certificate(s) of a private authority, PEM (default: SSL_CERT_FILE, NODE_EXTRA_CA_CERTS)',
    );
}
