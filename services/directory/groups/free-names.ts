import type { Stores } from '../store/stores.js';
import { DirectoryError, conflict } from '../http/errors.js';
import type { Body } from '../store/objects.js';
import { isUnified } from './kinds.js';

/** A nickname is taken when another mail-enabled group has it; deleted groups don't count. @throws DirectoryError 400. */
export async function checkNicknameFree(directory: Stores, group: Body, ownId?: string): Promise<void> {
  if (!isUnified(group)) return;
  const others = await directory.objects.findBy('group', 'mail_nickname', String(group['mailNickname']));
  const other = others.find((each) => each.id !== ownId && each.body['mailEnabled'] === true);
  if (other)
    throw conflict(
      'mailNickname',
      'Another object with the same value for property mailNickname already exists. ' +
        'A conflicting object with one or more of the specified property values is present in the directory.',
    );
}

/** @throws DirectoryError 400 when another group has this unique name. */
export async function checkUniqueNameFree(directory: Stores, uniqueName: unknown): Promise<void> {
  if (typeof uniqueName !== 'string') return;
  const [other] = await directory.objects.findBy('group', 'unique_name', uniqueName);
  if (other)
    throw new DirectoryError(
      400,
      'Request_MultipleObjectsWithSameKeyValue',
      'Another object with the same value for property uniqueName already exists.',
      [{ code: 'ObjectConflict', target: 'uniqueName', message: 'The unique name is taken.' }],
    );
}
