import type { ConfigPath } from '../../core/yaml/layers.js';
import type { SectionProps } from './stack-index.js';

type Auth = NonNullable<SectionProps['containerApps']['auth']>;

/** A group that an app's sign-in layer asks for. */
export interface AdmittingGroup {
  /** As it is written: the name of a group or principal, or an id. */
  readonly reference: string;
  /** Its path in the app. */
  readonly path: ConfigPath;
  /** The path of the app that needs it; undefined where the whole sign-in does. */
  readonly requestPath?: string;
}

/** The properties that {@link admittingGroups} reads. */
export const admittingGroupProperties = [
  'auth.providers.directory.allowedGroups',
  'auth.providers.directory.claimGroups',
  'auth.requirements.*.groups',
] as const;

/** The groups whose members an app lets in, altogether or to a path. */
export function admittingGroups(auth: Auth | undefined): readonly AdmittingGroup[] {
  const { providers, requirements } = auth ?? {};
  const ofLists = (['allowedGroups', 'claimGroups'] as const).flatMap((list) =>
    textsOf(providers?.directory?.[list]).map(([reference, index]): AdmittingGroup => ({
      reference,
      path: ['auth', 'providers', 'directory', list, index],
    })),
  );
  const ofRequirements = (Array.isArray(requirements) ? requirements : []).flatMap(
    (requirement, index) =>
      textsOf(requirement?.groups).map(([reference, groupIndex]): AdmittingGroup => ({
        reference,
        path: ['auth', 'requirements', index, 'groups', groupIndex],
        requestPath: String(requirement.path),
      })),
  );
  return [...ofLists, ...ofRequirements];
}

function textsOf(list: unknown): readonly (readonly [text: string, index: number])[] {
  return (Array.isArray(list) ? list : []).flatMap((each: unknown, index) =>
    typeof each === 'string' ? [[each, index] as const] : [],
  );
}
