import { undefinedIfNotFound } from '../../../clients/common/index.js';
import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import { setAtPath, valueAtPath } from '../../../kinds/schema/path-steps.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import { withLocks } from '../locks.js';
import { expandFields, type BodyFields, flattenFields } from '../body-fields.js';
import type { Api, Context, ResourceHandler } from '../handler.js';
import { type RawObject, textOrEmpty } from '../read-values.js';
import { applicationObjectIdIn, parseImport, refuseExisting } from './ids.js';

/** A part of an application with its own resource type: a list entry, or one property. */
export interface PartKind {
  /** The resource type in Terraform: `azuread_application_app_role`. */
  readonly typeName: string;
  /** The id in the state. @param objectId that of the application. */
  id(objectId: string, planned: ValueMap): string;
  /** The part in the application; undefined if missing. */
  read(application: Application, state: ValueMap): ValueMap | undefined;
  /** The change that adds or updates the part, given the present application. */
  write(application: Application, planned: ValueMap): Partial<ApplicationDraft>;
  /** The change that removes the part. */
  remove(application: Application, state: ValueMap): Partial<ApplicationDraft>;
  /** A change before updates and removals, such as disabling a role. */
  beforeChange?(
    api: Api,
    application: Application,
    change: Partial<ApplicationDraft>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Whether every change replaces the part. */
  readonly isImmutable?: boolean;
  /** The format of an imported id: `/applications/{applicationId}/appRoles/{roleId}`. */
  readonly importIdFormat: string;
  /** The attributes in an imported id. @param parts by the names in `importIdFormat`. */
  importedAttributes(parts: Readonly<Record<string, string>>): ActualValues;
}

/**
 * A resource type for one kind of part. Parts of one application are written one after the other,
 * since each write sends the whole list.
 */
export function partHandler(kind: PartKind): ResourceHandler {
  const changeApplication = async (
    context: Context,
    objectId: string,
    createChange: (application: Application) => Partial<ApplicationDraft>,
  ): Promise<void> => {
    const { api, signal } = context;
    await withLocks([`application ${objectId}`], async () => {
      const current = await api.directory.applications.get(objectId, { signal });
      const changes = createChange(current);
      await kind.beforeChange?.(api, current, changes, signal);
      await api.directory.applications.update(objectId, changes, { signal });
    });
  };
  const read = async (
    { api, signal }: Context,
    objectId: string,
    state: ValueMap,
  ): Promise<ActualValues | undefined> => {
    const application = await api.directory.applications.find(objectId, { signal });
    const part = application === undefined ? undefined : kind.read(application, state);
    return part === undefined ? undefined : { ...part, id: kind.id(objectId, state) };
  };
  const update: ResourceHandler['update'] = async ({ prior, planned, ...context }) => {
    const objectId = applicationObjectIdIn(textOrEmpty(prior, 'application_id'));
    await changeApplication(context, objectId, (current) => kind.write(current, planned));
    return (await read(context, objectId, planned)) ?? {};
  };
  return {
    async create({ planned, reportCreated, ...context }) {
      const objectId = applicationObjectIdIn(textOrEmpty(planned, 'application_id'));
      const id = kind.id(objectId, planned);
      await changeApplication(context, objectId, (current) => {
        refuseExisting(kind.read(current, planned) !== undefined, id, kind.typeName);
        return kind.write(current, planned);
      });
      reportCreated({ id });
      return { ...(await read(context, objectId, planned)), id };
    },
    /** A part has no date of its creation: it must be as planned, or it is someone else's. */
    async findExisting({ planned, api, signal }) {
      const objectId = applicationObjectIdIn(textOrEmpty(planned, 'application_id'));
      const application = await api.directory.applications.find(objectId, { signal });
      const part = application === undefined ? undefined : kind.read(application, planned);
      if (application === undefined || part === undefined) return undefined;
      const [plannedWrite, existingWrite] = [planned, { ...planned, ...part }].map((values) =>
        canonicalJson(kind.write(application, values)),
      );
      return plannedWrite === existingWrite ? { id: kind.id(objectId, planned) } : undefined;
    },
    read: ({ state, ...context }) =>
      read(context, applicationObjectIdIn(textOrEmpty(state, 'application_id')), state),
    ...(kind.isImmutable !== true && { update }),
    async delete({ state, ...context }) {
      const objectId = applicationObjectIdIn(textOrEmpty(state, 'application_id'));
      await undefinedIfNotFound(
        changeApplication(context, objectId, (current) => kind.remove(current, state)),
      );
    },
    import(id) {
      const parts = parseImport(kind.importIdFormat, id);
      return {
        id,
        application_id: `/applications/${parts['applicationId'] ?? ''}`,
        ...kind.importedAttributes(parts),
      };
    },
  };
}

/** The JSON of a change, the same for lists of the same elements in another order. */
function canonicalJson(change: Partial<ApplicationDraft>): string {
  return JSON.stringify(change, (_name, value: unknown) =>
    Array.isArray(value)
      ? (value as readonly unknown[]).toSorted((a, b) =>
          JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
        )
      : value,
  );
}

/** A part that is a list entry. */
interface EntryKind extends Omit<PartKind, 'read' | 'write' | 'remove'> {
  /** The list in the application: `api.oauth2PermissionScopes`. */
  readonly list: string;
  /** The attribute that identifies an entry. Its property is among the fields. */
  readonly key: string;
  /** The attributes of an entry, with their properties. */
  readonly fields: BodyFields;
  /** Conversions of an entry beyond its fields. */
  readonly extraConversions?: {
    /** The sent properties of the entry. */
    readonly expand: (planned: ValueMap) => RawObject;
    /** The attributes of the state. @default none */
    readonly flatten?: (entry: RawObject) => ValueMap;
  };
}

/** A resource type for the entries of a list of the application. */
export function entryHandler({
  list: path,
  key,
  fields,
  extraConversions,
  ...kind
}: EntryKind): ResourceHandler {
  const steps = path.split('.');
  const property = fields[key] as string;
  const entriesOf = (application: Application): readonly RawObject[] =>
    (valueAtPath(application, steps) ?? []) as readonly RawObject[];
  const listDraft = (entries: readonly RawObject[]): Partial<ApplicationDraft> => {
    const draft: Record<string, unknown> = {};
    setAtPath(draft, steps, entries);
    return draft;
  };
  const entryMatcher = (state: ValueMap): ((entry: RawObject) => boolean) => {
    const target = textOrEmpty(state, key).toLowerCase();
    return (entry) => String(entry[property]).toLowerCase() === target;
  };
  return partHandler({
    ...kind,
    read(application, state) {
      const entry = entriesOf(application).find(entryMatcher(state));
      return entry === undefined
        ? undefined
        : { ...flattenFields(fields, entry), ...extraConversions?.flatten?.(entry) };
    },
    write(application, planned) {
      const [entries, isEntry] = [entriesOf(application), entryMatcher(planned)];
      const entry = { ...expandFields(fields, planned), ...extraConversions?.expand(planned) };
      return listDraft(
        entries.some(isEntry)
          ? entries.map((each) => (isEntry(each) ? entry : each))
          : [...entries, entry],
      );
    },
    remove(application, state) {
      const isEntry = entryMatcher(state);
      return listDraft(entriesOf(application).filter((each) => !isEntry(each)));
    },
  });
}
