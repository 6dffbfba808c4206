import { unlessGone } from '../../../clients/common/index.js';
import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import type { Reported } from '../../planner/settle.js';
import type { ValueMap } from '../../values/value.js';
import type { Api, Context, ResourceHandler } from '../handler.js';
import { mustText } from '../read-values.js';
import { withLocks } from '../azapi/locks.js';
import { applicationOf, parseImport, refuseExisting } from './ids.js';

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
        refuseExisting(kind.read(current, planned) !== undefined, id, kind.typeName);
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
