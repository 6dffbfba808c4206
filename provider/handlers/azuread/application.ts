import { undefinedIfNotFound } from '../../../clients/common/index.js';
import type { Application } from '../../../clients/directory/index.js';
import type { PlannedChange } from '../../planner/plan.js';
import type { ActualValues } from '../../planner/new-state.js';
import { isUnknown, type ValueMap } from '../../values/value.js';
import type { Context, CreateCall, PlanCall, UpdateCall } from '../handler.js';
import {
  blocks,
  differsIn,
  isTrue,
  textOrEmpty,
  oneBlock,
  optionalText,
  textList,
} from '../read-values.js';
import { expandFields, flattenFields } from '../body-fields.js';
import { passwordFields } from './application-fields.js';
import {
  applicationBody,
  flattenApplication,
  flattenApplicationBlocks,
} from './application-mapping.js';
import { disableBeforeChange } from './disable-before-change.js';
import { planTags } from './feature-tags.js';
import { collectIds, maxOwnersInCreation, replaceLinks } from './listing.js';
import { applicationFinder, objectHandler, refuseDuplicate } from './directory-object.js';

/** The resource azuread_application: an application with all its parts. */
export const application = objectHandler<Application>(
  {
    collection: 'applications',
    objects: ({ applications }) => applications,
    toState: (application, context, state) => toState(application, state, context),
  },
  {
    create: createApplication,
    update: updateApplication,
    plan: planApplication,
    findExisting: applicationFinder((each, call) => toState(each, call.planned, call)),
  },
);

async function createApplication(call: CreateCall): Promise<ActualValues> {
  const { api, planned, config, signal } = call;
  const { applications } = api.directory;
  const templateId = optionalText(planned, 'template_id');
  const owners = textList(planned, 'owners');
  const ownersToBind =
    owners.length === 0
      ? {}
      : {
          'owners@odata.bind': owners
            .slice(0, maxOwnersInCreation)
            .map((id) => api.directory.reference(id)),
        };
  const body = applicationBody(planned, config);
  const answer =
    templateId === undefined
      ? await applications.create({ ...body, ...ownersToBind }, { signal })
      : (
          await applications.instantiate(templateId, textOrEmpty(planned, 'display_name'), {
            signal,
          })
        ).application;
  call.reportCreated({ id: `/applications/${answer.id}`, object_id: answer.id });
  if (templateId !== undefined) await applications.update(answer.id, body, { signal });
  // without configured owners an application has none, as with the official provider
  await replaceLinks(applications.owners, answer.id, owners, signal);
  const password = await addPassword(answer.id, planned, call);
  await updatePostResponseRequirement(answer.id, undefined, planned, call);
  return {
    ...(await toState(await applications.get(answer.id, { signal }), planned, call)),
    ...password,
  };
}

async function updateApplication(call: UpdateCall): Promise<ActualValues> {
  const { api, prior, planned, config, signal } = call;
  const { applications } = api.directory;
  const id = textOrEmpty(prior, 'object_id');
  const current = await applications.get(id, { signal });
  const body = applicationBody(planned, config);
  const { appRoles: roles = [], api: { oauth2PermissionScopes: scopes = [] } = {} } = body;
  await disableBeforeChange(api, id, current, { roles, scopes }, signal);
  await applications.update(id, body, { signal });
  if (differsIn(prior, planned, 'owners'))
    await replaceLinks(applications.owners, id, textList(planned, 'owners'), signal);
  const password = differsIn(prior, planned, 'password')
    ? await replacePassword(id, prior, planned, call)
    : {};
  await updatePostResponseRequirement(id, prior, planned, call);
  return { ...(await toState(await applications.get(id, { signal }), planned, call)), ...password };
}

async function addPassword(
  id: string,
  planned: ValueMap,
  { api, signal }: Context,
): Promise<ActualValues> {
  const password = oneBlock(planned, 'password');
  if (password === undefined) return {};
  const answer = await api.directory.applications.addPassword(
    id,
    expandFields(passwordFields, password),
    { signal },
  );
  return { password: [{ ...flattenFields(passwordFields, answer), value: answer.secretText }] };
}

async function replacePassword(
  id: string,
  prior: ValueMap,
  planned: ValueMap,
  context: Context,
): Promise<ActualValues> {
  const oldKeyId = optionalText(oneBlock(prior, 'password'), 'key_id');
  if (oldKeyId !== undefined)
    await context.api.directory.applications.removePassword(id, oldKeyId, {
      signal: context.signal,
    });
  return addPassword(id, planned, context);
}

/** Updates a property that only the directory's beta version has. */
async function updatePostResponseRequirement(
  id: string,
  prior: ValueMap | undefined,
  planned: ValueMap,
  { api, signal }: Context,
): Promise<void> {
  const isRequired = isTrue(planned, 'oauth2_post_response_required');
  if (isRequired === isTrue(prior, 'oauth2_post_response_required')) return;
  await api.directory.applications.update(
    id,
    { oauth2RequirePostResponse: isRequired },
    { version: 'beta', signal },
  );
}

async function toState(
  application: Application,
  state: ValueMap,
  { api, signal }: Context,
): Promise<ActualValues> {
  const betaProperties = await undefinedIfNotFound(
    api.directory.applications.get(application.id, {
      version: 'beta',
      select: ['id', 'oauth2RequirePostResponse'],
      signal,
    }),
  );
  const owners = await collectIds(
    api.directory.applications.owners.list(application.id, { signal }),
  );
  const completeApplication = {
    ...application,
    oauth2RequirePostResponse: betaProperties?.oauth2RequirePostResponse ?? null,
  };
  const passwords = blocks(state, 'password').filter(({ key_id: keyId }) =>
    application.passwordCredentials?.some((each) => each.keyId === keyId),
  );
  const isPasswordUnknown = blocks(state, 'password').some(({ key_id: keyId }) => isUnknown(keyId));
  return {
    ...flattenApplication(completeApplication),
    ...flattenApplicationBlocks(completeApplication, state),
    owners,
    ...(!isPasswordUnknown && { password: passwords }),
  };
}

async function planApplication({ change, api, signal }: PlanCall): Promise<void> {
  planTags(change);
  reportDuplicateEntries(change);
  const { prior, planned } = change;
  if (prior !== undefined) {
    if (differsIn(prior, planned, 'app_role')) change.setUnknown('app_role_ids');
    if (differsIn(prior, planned, 'api')) change.setUnknown('oauth2_permission_scope_ids');
    return;
  }
  await refuseDuplicate('application', planned, (query) =>
    api.directory.applications.list({ ...query, signal }),
  );
}

/** Reports ids and values of roles and scopes that are not unique within the application. */
function reportDuplicateEntries(change: PlannedChange): void {
  const { config } = change;
  const lists = [
    ['app_role', blocks(config, 'app_role')],
    ['oauth2_permission_scope', blocks(oneBlock(config, 'api'), 'oauth2_permission_scope')],
  ] as const;
  for (const [name, entries] of lists)
    for (const attribute of ['id', 'value'] as const) {
      const seen = new Set<string>();
      for (const entry of entries) {
        const value = optionalText(entry, attribute);
        if (value !== undefined && seen.has(value))
          change.error(
            `validating \`${name}\`: value for \`${attribute}\` is not unique: ${value}`,
            undefined,
            name === 'app_role' ? 'app_role' : 'api',
          );
        if (value !== undefined) seen.add(value);
      }
    }
}
