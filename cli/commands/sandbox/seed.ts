import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { CliIo } from '../../command.js';

/**
 * The seed for `castellan sandbox seed`: a file, or people by user principal name.
 *
 * @throws CAS8001 when neither or both are given, CAS4002 for an invalid name.
 */
export function seedToAdd(
  {
    file,
    people,
  }: { readonly file: string | undefined; readonly people: readonly string[] | undefined },
  io: CliIo,
): { readonly text: string; readonly name: string } {
  if (file !== undefined && people === undefined) {
    try {
      return { text: readFileSync(resolve(io.cwd, file), 'utf8'), name: file };
    } catch (cause) {
      throw new CastellanError('CAS4002', `${file} can't be read: ${(cause as Error).message}`, {
        cause,
      });
    }
  }
  if (file !== undefined || people === undefined)
    throw new CastellanError('CAS8001', 'give either a seed file or --person ada@contoso.example');
  const names = [...new Set(people)];
  return { text: JSON.stringify({ users: names.map(userOf) }), name: names.join(', ') };
}

/** The user of a user principal name, such as Ada Lovelace of ada.lovelace@contoso.example. */
function userOf(name: string): Readonly<Record<string, string | boolean>> {
  const [, nickname, domain] =
    /^([A-Za-z0-9._%+'-]+)@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)$/.exec(name) ?? [];
  if (nickname === undefined || domain === undefined)
    throw new CastellanError(
      'CAS4002',
      `--person ${name} is no user principal name such as ada@contoso.example`,
    );
  return {
    userPrincipalName: name,
    displayName: nickname
      .replace(/[._-]+/g, ' ')
      .replace(/\b\w/g, (letter) => letter.toUpperCase()),
    mailNickname: nickname,
    mail: name,
    accountEnabled: true,
  };
}
