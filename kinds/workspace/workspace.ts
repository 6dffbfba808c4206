import { kind } from '../schema/kind.js';
import {
  closedObject,
  type DeclarationOf,
  boolean,
  guid,
  list,
  nameReference,
  text,
  enumOf,
} from '../schema/schema-builders.js';

const role = () =>
  closedObject(
    {
      principal: nameReference(['principals', 'groups'], 'A principal or a group of this stack.'),
      role: enumOf(['Admin', 'Contributor', 'Member', 'Viewer'], {
        description: 'What the principal may do.',
      }),
    },
    { required: ['principal', 'role'] },
  );

/** A workspace, which holds eventhouses and eventstreams. */
export const workspace = kind(() => ({
  meaning: 'A workspace, which holds eventhouses and eventstreams.',
  terraform: { resourceTypes: ['fabric_workspace'] },
  deletionLoses: 'every item of the workspace',
  required: ['displayName'],
  properties: {
    displayName: text('The name of the workspace.', {
      minLength: 1,
      maxLength: 256,
      pattern: '\\S',
      patternDescription: 'a character that is not blank',
      validate: (value) => reservedNameMistake(value, ['Admin monitoring', 'My workspace']),
      terraform: 'display_name',
    }),
    description: text('What the workspace is for.', { maxLength: 4000, terraform: 'description' }),
    capacityId: guid(
      'The id of the capacity that the workspace runs on: in the sandbox, an `id` of `capacities` in the seed. Eventhouses need one.',
      {
        terraform: 'capacity_id',
        separateRequest: true,
      },
    ),
    skipCapacityStateValidation: boolean('Whether a paused capacity is accepted.', {
      default: false,
      notInApi: true,
      terraform: 'skip_capacity_state_validation',
    }),
    identity: boolean('Whether the workspace has its own identity.', {
      default: false,
      separateRequest: true,
    }),
    roles: list(role(), {
      description: 'Role assignments in the workspace.',
      separateRequest: true,
    }),
  },
  setByService: {
    id: 'The id of the workspace.',
    type: 'Whether it is a personal workspace.',
    capacityRegion: 'The region of the capacity.',
    capacityAssignmentProgress: 'The progress of the assignment of a capacity.',
    oneLakeEndpoints: 'The OneLake endpoints of the workspace.',
    workspaceIdentity: 'Its identity: declared as `identity`.',
  },
  limits: { items: 1000, roleAssignments: 1000, folderLevels: 10 },
}));

/** The name of a folder in a workspace. */
export const folderName = text('The name of the folder.', {
  minLength: 1,
  maxLength: 255,
  pattern: '^(?! )[^\\u0000-\\u001f\\u007f-\\u009f~"#.&*:<>?/{|}]*(?<! )$',
  patternDescription:
    'neither a blank at either end, nor a control character, nor any of ~ " # . & * : < > ? / { | }',
  validate: (value) => reservedNameMistake(value, ['recycled', 'recycler']),
});

/** Checks that the service does not reserve a name, in any letter case. */
function reservedNameMistake(value: unknown, names: readonly string[]): string | undefined {
  const reserved = names.find((name) => name.toLowerCase() === String(value).toLowerCase());
  return reserved === undefined ? undefined : `"${reserved}" is a name that the service reserves`;
}

/** A workspace, which holds eventhouses and eventstreams. */
export type WorkspaceProps = DeclarationOf<typeof workspace.schema>;
