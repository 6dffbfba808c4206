import type { AuthenticationMethod } from '../../../clients/directory/index.js';
import type { Column } from './table.js';

/** Fields that distinguish two methods of a kind, the first that is there. */
const telling = ['phoneNumber', 'emailAddress', 'displayName', 'model', 'deviceTag', 'platform'];

/** The columns of a list of authentication methods. */
export const methodColumns: readonly Column<AuthenticationMethod>[] = [
  { title: 'METHOD', cell: kindOfMethod },
  { title: 'DETAIL', cell: detailOf },
  { title: 'STATE', cell: (method) => textOf(method['smsSignInState']) ?? textOf(method['methodUsabilityReason']) },
  { title: 'CREATED', cell: (method) => textOf(method['createdDateTime']) ?? textOf(method['creationDateTime']) },
  { title: 'ID', cell: (method) => method.id },
];

/** `phone`, `fido2`, … of `#….phoneAuthenticationMethod`. */
export function kindOfMethod(method: AuthenticationMethod): string {
  return method['@odata.type'].replace(/^.*\./, '').replace(/AuthenticationMethod$/, '');
}

function detailOf(method: AuthenticationMethod): string {
  const detail = telling.map((name) => textOf(method[name])).find((text) => text !== undefined);
  const kind = textOf(method['phoneType']) ?? textOf(method['authenticationPhoneType']);
  return [kind, detail].filter((text) => text !== undefined).join(' ');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
