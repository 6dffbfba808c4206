import { quoted } from '../../../clients/directory/index.js';
import type { Finder } from '../finders.js';
import { isMadeSince } from '../finders.js';
import { mustText, text, texts } from '../read-values.js';
import { applicationId, applicationOf, bareId, groupId, servicePrincipalId, userId } from './ids.js';

const findGroup: Finder = async ({ api, planned, begunAt, signal }) => {
  const [displayName, mailNickname] = [mustText(planned, 'display_name'), text(planned, 'mail_nickname')];
  for await (const group of api.directory.groups.list({ filter: `displayName eq ${quoted(displayName)}`, signal })) {
    const same = mailNickname === undefined || group.mailNickname === mailNickname;
    if (same && isMadeSince(begunAt, group.createdDateTime)) return { id: groupId(group.id), object_id: group.id };
  }
  return undefined;
};

const findApplication: Finder = async ({ api, planned, begunAt, signal }) => {
  const filter = `displayName eq ${quoted(mustText(planned, 'display_name'))}`;
  for await (const application of api.directory.applications.list({ filter, signal }))
    if (isMadeSince(begunAt, application.createdDateTime))
      return { id: applicationId(application.id), object_id: application.id, client_id: application.appId };
  return undefined;
};

const findServicePrincipal: Finder = async ({ api, planned, signal }) => {
  const filter = `appId eq ${quoted(mustText(planned, 'client_id'))}`;
  for await (const { id } of api.directory.servicePrincipals.list({ filter, signal })) return { id: servicePrincipalId(id), object_id: id };
  return undefined;
};

const findUser: Finder = async ({ api, planned, signal }) => {
  const filter = `userPrincipalName eq ${quoted(mustText(planned, 'user_principal_name'))}`;
  for await (const { id } of api.directory.users.list({ filter, signal })) return { id: userId(id), object_id: id };
  return undefined;
};

const findPassword: Finder = async ({ api, planned, begunAt, signal }) => {
  const owner = bareId(mustText(planned, 'application_id'));
  const found = await api.directory.applications.find(owner, { signal });
  const credential = found?.passwordCredentials?.find(
    (each) => each.displayName === (text(planned, 'display_name') ?? null) && isMadeSince(begunAt, each.startDateTime),
  );
  return credential === undefined ? undefined : { id: `${owner}/password/${credential.keyId}`, key_id: credential.keyId };
};

const findRedirectUris: Finder = async ({ api, planned, signal }) => {
  const [owner, type] = [applicationOf(mustText(planned, 'application_id')), mustText(planned, 'type')];
  const section = { PublicClient: 'publicClient', SPA: 'spa', Web: 'web' }[type] as 'publicClient' | 'spa' | 'web' | undefined;
  const found = section === undefined ? undefined : await api.directory.applications.find(owner, { signal });
  const there = section === undefined ? [] : (found?.[section]?.redirectUris ?? []);
  const wanted = new Set(texts(planned, 'redirect_uris'));
  if (there.length !== wanted.size || !there.every((uri) => wanted.has(uri))) return undefined;
  return { id: `/applications/${owner}/redirectUris/${type}` };
};

/** How what azuread made is found again. */
export const finders: Readonly<Record<string, Finder>> = {
  azuread_group: findGroup,
  azuread_group_without_members: findGroup,
  azuread_application: findApplication,
  azuread_application_registration: findApplication,
  azuread_service_principal: findServicePrincipal,
  azuread_user: findUser,
  azuread_application_password: findPassword,
  azuread_application_redirect_uris: findRedirectUris,
};
