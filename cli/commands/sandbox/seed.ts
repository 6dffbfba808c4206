import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { CliIo } from '../../command.js';

/**
 * The seed for `castellan sandbox seed`: a file, or one person by user principal name.
 *
 * @throws CAS8001 when neither or both are given, CAS4002 for an invalid name.
 */
export function seedToAdd(
  { file, person }: { readonly file: string | undefined; readonly person: string | undefined },
  io: CliIo,
): { readonly text: string; readonly name: string } {
  if ((file === undefined) === (person === undefined))
    throw new CastellanError('CAS8001', 'give either a seed file or --person ada@contoso.example');
  if (file !== undefined) {
    try {
      return { text: readFileSync(resolve(io.cwd, file), 'utf8'), name: file };
    } catch (cause) {
      throw new CastellanError('CAS4002', `${file} can't be read: ${(cause as Error).message}`, {
        cause,
      });
    }
  }
  const [, nickname, domain] =
    /^([A-Za-z0-9._%+'-]+)@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)$/.exec(person ?? '') ?? [];
  if (nickname === undefined || domain === undefined)
    throw new CastellanError(
      'CAS4002',
      `--person ${person ?? ''} is no user principal name such as ada@contoso.example`,
    );
  const user = {
    userPrincipalName: person,
    displayName: nickname
      .replace(/[._-]+/g, ' ')
      .replace(/\b\w/g, (letter) => letter.toUpperCase()),
    mailNickname: nickname,
    mail: person,
    accountEnabled: true,
  };
  return { text: JSON.stringify({ users: [user] }), name: person ?? '' };
}
