import type { Application } from '../../../clients/directory/index.js';
import type { ResourceHandler } from '../handler.js';
import { mustText, texts } from '../read-values.js';
import { applicationOf, parseImport, refuseExisting } from './ids.js';
import { unlessGone } from './listing.js';

/** The section of an application that holds the URIs of a type. */
const sections = { PublicClient: 'publicClient', SPA: 'spa', Web: 'web' } as const;
type UriType = keyof typeof sections;

/** The resource azuread_application_redirect_uris: where sign-ins of one kind may return to. */
export const applicationRedirectUris: ResourceHandler = {
  async create({ api, planned, signal }) {
    const [application, type] = [applicationOf(mustText(planned, 'application_id')), mustText(planned, 'type') as UriType];
    const id = idOf(application, type);
    const current = await api.directory.applications.get(application, { signal });
    refuseExisting(urisOf(current, type).length > 0, id, 'azuread_application_redirect_uris');
    await api.directory.applications.update(
      application,
      { [sections[type]]: { redirectUris: texts(planned, 'redirect_uris') } },
      { signal },
    );
    return { id, redirect_uris: texts(planned, 'redirect_uris') };
  },
  async read({ api, state, signal }) {
    const [application, type] = [applicationOf(mustText(state, 'application_id')), mustText(state, 'type') as UriType];
    const found = await api.directory.applications.find(application, { signal });
    if (found === undefined || urisOf(found, type).length === 0) return undefined;
    return { id: idOf(application, type), redirect_uris: urisOf(found, type) };
  },
  async update({ api, prior, planned, signal }) {
    const [application, type] = [applicationOf(mustText(prior, 'application_id')), mustText(prior, 'type') as UriType];
    await api.directory.applications.update(
      application,
      { [sections[type]]: { redirectUris: texts(planned, 'redirect_uris') } },
      { signal },
    );
    return { redirect_uris: texts(planned, 'redirect_uris') };
  },
  async delete({ api, state, signal }) {
    const [application, type] = [applicationOf(mustText(state, 'application_id')), mustText(state, 'type') as UriType];
    await unlessGone(api.directory.applications.update(application, { [sections[type]]: { redirectUris: [] } }, { signal }));
  },
  import(id) {
    const { applicationId, type } = parseImport('/applications/{applicationId}/redirectUris/{type}', id);
    return { id, application_id: `/applications/${applicationId ?? ''}`, type: type ?? '' };
  },
};

function idOf(application: string, type: UriType): string {
  return `/applications/${application}/redirectUris/${type}`;
}

function urisOf(application: Application, type: UriType): string[] {
  return [...(application[sections[type]]?.redirectUris ?? [])];
}
