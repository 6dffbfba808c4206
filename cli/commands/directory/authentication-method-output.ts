import type { AuthenticationMethod } from '../../../clients/directory/index.js';
import type { Column } from '../../table.js';

/** Fields that distinguish methods of one kind; the first that is set is shown. */
const distinguishingFields = [
  'phoneNumber',
  'emailAddress',
  'displayName',
  'model',
  'deviceTag',
  'platform',
];

/** The columns of a list of authentication methods. */
export const methodColumns: readonly Column<AuthenticationMethod>[] = [
  { title: 'METHOD', cell: kindOfMethod },
  { title: 'DETAIL', cell: detailOf },
  {
    title: 'STATE',
    cell: (method) =>
      textOrUndefined(method['smsSignInState']) ?? textOrUndefined(method['methodUsabilityReason']),
    omissionOrder: 1,
  },
  {
    title: 'CREATED',
    cell: (method) =>
      textOrUndefined(method['createdDateTime']) ?? textOrUndefined(method['creationDateTime']),
    omissionOrder: 2,
  },
  { title: 'ID', cell: (method) => method.id, omissionOrder: 3 },
];

/** `phone`, `fido2`, … of `#….phoneAuthenticationMethod`. */
export function kindOfMethod(method: AuthenticationMethod): string {
  return method['@odata.type'].replace(/^.*\./, '').replace(/AuthenticationMethod$/, '');
}

function detailOf(method: AuthenticationMethod): string {
  const detail = distinguishingFields
    .map((name) => textOrUndefined(method[name]))
    .find((text) => text !== undefined);
  const kind =
    textOrUndefined(method['phoneType']) ?? textOrUndefined(method['authenticationPhoneType']);
  return [kind, detail].filter((text) => text !== undefined).join(' ');
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
