import type { Application, ApplicationDraft, AppRole, OptionalClaim, PermissionScope } from '../../../clients/directory/index.js';
import type { Reported } from '../../planner/settle.js';
import type { ValueMap, Value } from '../../values/value.js';
import { type Api, type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { mustText, blocks, flag, given, text, texts } from '../read-values.js';
import { withLocks } from '../azapi/locks.js';
import { applicationOf, parseImport } from './ids.js';
import { unlessGone } from './listing.js';

/** One part of an application that is a resource of its own: an entry of a list, or one property. */
export interface PartKind {
  readonly typeName: string;
  /** The id in the state. */
  id(application: string, planned: ValueMap): string;
  /** What the part is in the application; undefined where it isn't there. */
  read(application: Application, state: ValueMap): Reported | undefined;
  /** The change that puts the part in (or changes it), given the application as it is. */
  write(application: Application, planned: ValueMap): Partial<ApplicationDraft>;
  /** The change that takes the part out. */
  remove(application: Application, state: ValueMap): Partial<ApplicationDraft>;
  /** Done before a change or removal, such as disabling a role. */
  before?(api: Api, application: Application, change: Partial<ApplicationDraft>, signal: AbortSignal): Promise<void>;
  /** Whether every change replaces the part. */
  readonly immutable?: boolean;
  /** The form of an imported id, and the attributes in it. */
  readonly importForm: string;
  imported(found: Readonly<Record<string, string>>): Reported;
}

/** A resource type for one kind of part. Parts of one application are written one after the other: each sends the whole list. */
export function partHandler(kind: PartKind): ResourceHandler {
  const change = async (
    context: Context,
    objectId: string,
    make: (application: Application) => Partial<ApplicationDraft>,
  ): Promise<void> => {
    const { api, signal } = context;
    await withLocks([`application ${objectId}`], async () => {
      const current = await api.directory.applications.get(objectId, { signal });
      const changes = make(current);
      await kind.before?.(api, current, changes, signal);
      await api.directory.applications.update(objectId, changes, { signal });
    });
  };
  const read = async ({ api, signal }: Context, objectId: string, state: ValueMap): Promise<Reported | undefined> => {
    const found = await api.directory.applications.find(objectId, { signal });
    const part = found === undefined ? undefined : kind.read(found, state);
    return part === undefined ? undefined : { ...part, id: kind.id(objectId, state) };
  };
  const update: ResourceHandler['update'] = async ({ prior, planned, ...context }) => {
    const objectId = applicationOf(mustText(prior, 'application_id'));
    await change(context, objectId, (current) => kind.write(current, planned));
    return (await read(context, objectId, planned)) ?? {};
  };
  return {
    async create({ planned, ...context }) {
      const objectId = applicationOf(mustText(planned, 'application_id'));
      const id = kind.id(objectId, planned);
      await change(context, objectId, (current) => {
        if (kind.read(current, planned) !== undefined)
          throw new ProviderFailure(
            `A resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "${kind.typeName}" for more information.`,
          );
        return kind.write(current, planned);
      });
      return { ...(await read(context, objectId, planned)), id };
    },
    read: ({ state, ...context }) => read(context, applicationOf(mustText(state, 'application_id')), state),
    ...(kind.immutable === true ? {} : { update }),
    async delete({ state, ...context }) {
      const objectId = applicationOf(mustText(state, 'application_id'));
      await unlessGone(change(context, objectId, (current) => kind.remove(current, state)));
    },
    import(id) {
      const found = parseImport(kind.importForm, id);
      return { id, application_id: `/applications/${found['applicationId'] ?? ''}`, ...kind.imported(found) };
    },
  };
}

/** An app role as it is sent. */
export function expandRole(role: ValueMap, id: string, isEnabled: boolean): AppRole {
  return {
    id,
    allowedMemberTypes: texts(role, 'allowed_member_types').sort(),
    description: mustText(role, 'description'),
    displayName: mustText(role, 'display_name'),
    isEnabled,
    value: mustText(role, 'value'),
  };
}

/** A permission scope as it is sent. */
export function expandScope(scope: ValueMap, id: string, isEnabled: boolean): PermissionScope {
  return {
    id,
    adminConsentDescription: mustText(scope, 'admin_consent_description'),
    adminConsentDisplayName: mustText(scope, 'admin_consent_display_name'),
    isEnabled,
    type: text(scope, 'type') ?? 'User',
    userConsentDescription: mustText(scope, 'user_consent_description'),
    userConsentDisplayName: mustText(scope, 'user_consent_display_name'),
    value: mustText(scope, 'value'),
  };
}

/** Lists of optional claims by block name. */
export const claimLists = { access_token: 'accessToken', id_token: 'idToken', saml2_token: 'saml2Token' } as const;

/** The claims of one block list as they are sent. */
export function expandClaims(from: ValueMap | undefined, name: keyof typeof claimLists): OptionalClaim[] {
  return blocks(from, name).map((claim) => ({
    name: mustText(claim, 'name'),
    source: text(claim, 'source') ?? '',
    essential: flag(claim, 'essential'),
    additionalProperties: texts(claim, 'additional_properties'),
  }));
}

/** The claims of one list of what the directory has. */
function flattenClaims(claims: readonly OptionalClaim[] | undefined): Value {
  return (claims ?? []).map((claim) => ({
    name: claim.name,
    source: claim.source ?? '',
    essential: claim.essential ?? false,
    additional_properties: [...(claim.additionalProperties ?? [])],
  }));
}

/** All three lists. */
export function flattenOptionalClaims(application: Application): ValueMap {
  return Object.fromEntries(
    Object.entries(claimLists).map(([name, property]) => [name, flattenClaims(application.optionalClaims?.[property])]),
  );
}

/** Words that the directory joins by commas. */
export function splitWords(words: string | null | undefined): string[] {
  return (words ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** A text property, "" where the directory has none. */
export function textOf(from: unknown, name: string): Value {
  return given(from, name) ?? '';
}
