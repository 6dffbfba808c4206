import type { Body } from '../store/objects.js';

/** A user's properties with those that an account has when nothing is said of them. */
export function withAccountDefaults(values: Body, id: string): Record<string, unknown> {
  const localPart = String(values['userPrincipalName'] ?? '').split('@')[0] ?? '';
  const mail = typeof values['mail'] === 'string' ? values['mail'] : undefined;
  return {
    accountEnabled: true,
    userType: 'Member',
    ...(mail === undefined ? {} : { proxyAddresses: [`SMTP:${mail}`] }),
    ...values,
    displayName: values['displayName'] ?? values['userPrincipalName'] ?? id,
    mailNickname: values['mailNickname'] ?? (localPart === '' ? null : localPart),
  };
}
