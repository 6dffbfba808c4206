import type { Command } from 'commander';
import { CastellanError } from '../core/errors/castellan-error.js';
import { nearest } from '../core/text/nearest.js';

/** The flags that say how a command prints. */
export interface FormatFlags<Format extends string = 'text' | 'json'> {
  readonly format?: Format;
  readonly json?: boolean;
}

/** Adds `--format`, and `--json` as its short form. */
export function addFormat(command: Command, formats: readonly string[] = ['text', 'json']): Command {
  return command
    .option('-f, --format <format>', `${formats.slice(0, -1).join(', ')} or ${formats.at(-1) ?? ''} (default: ${formats[0] ?? ''})`)
    .option('--json', 'short for --format json');
}

/**
 * The format that the flags ask for.
 *
 * @throws CAS8001 for a format that the command doesn't have, or when --json contradicts --format.
 */
export function formatOf<Format extends string = 'text' | 'json'>(
  { format, json }: { readonly format?: string; readonly json?: boolean },
  formats: readonly Format[] = ['text', 'json'] as unknown as readonly Format[],
): Format {
  if (json === true && format !== undefined && format !== 'json')
    throw new CastellanError('CAS8001', `--json is short for --format json, but --format is ${format}`);
  const asked = json === true ? 'json' : (format ?? formats[0]);
  const found = formats.find((each) => each === asked);
  if (found !== undefined) return found;
  const meant = nearest(String(asked), formats);
  throw new CastellanError(
    'CAS8001',
    `--format ${String(asked)} does not exist${meant === undefined ? '.' : `; did you mean "${meant}"?`} Formats: ${formats.join(', ')}`,
  );
}
